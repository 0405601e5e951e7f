DROP INDEX `deliveries_by_garment`;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `kind` text DEFAULT 'tagging' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_by_garment` ON `deliveries` (`tenant_id`,`garment_uuid`,`kind`);--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `sends_corrections` integer DEFAULT false NOT NULL;