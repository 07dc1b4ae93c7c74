DROP TABLE IF EXISTS cosmetics, known_images
