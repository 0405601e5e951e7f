CREATE TABLE `heartbeats` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`failed_parts` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `tenants` ADD `expiry_check_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `tenants_by_expiry_check` ON `tenants` (`expiry_check_at`);--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD `turns` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `retags` ADD `step_size` integer DEFAULT 100 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `ended_until` integer;--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `ended_reason` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_configs_ended` ON `webhook_configs` (`tenant_id`) WHERE ended_until IS NOT NULL;