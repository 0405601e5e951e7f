-- Only adds. The version before neither sets nor sees when an endpoint expires.
ALTER TABLE `webhook_configs` ADD `expires_at` integer;
--> statement-breakpoint
CREATE INDEX `webhook_configs_expiring` ON `webhook_configs` (`expires_at`) WHERE expires_at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `expires_at` integer;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_expiring` ON `webhook_endpoints` (`expires_at`) WHERE expires_at IS NOT NULL;
