DROP TABLE webhooks, webhook_progress, webhook_redeliveries, webhook_deliveries
