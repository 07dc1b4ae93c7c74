DROP TABLE appeals
