-- Only adds: the version before goes on with the first endpoint of each tenant. Its upsert of a delivery names the unique
-- index on `tenant_id`, `garment_uuid` and `kind`, so deliveries of further endpoints have a kind of their own in it.
CREATE TABLE `webhook_endpoints` (
	`tenant_id` text NOT NULL,
	`endpoint` text DEFAULT 'first' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`enabled` integer NOT NULL,
	`url` text NOT NULL,
	`secret` text,
	`former_secret` text,
	`former_secret_until` integer,
	`headers` text NOT NULL,
	`key_id` text DEFAULT '' NOT NULL,
	`failing_since` integer,
	`disabled_reason` text DEFAULT '' NOT NULL,
	`sends_completed` integer DEFAULT true NOT NULL,
	`sends_failed` integer DEFAULT true NOT NULL,
	`sends_corrections` integer DEFAULT false NOT NULL,
	`max_per_second` integer,
	`ended_until` integer,
	`ended_reason` text DEFAULT '' NOT NULL,
	`created_at` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `endpoint`)
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_key` ON `webhook_endpoints` (`key_id`);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_former_secrets` ON `webhook_endpoints` (`former_secret_until`) WHERE former_secret_until IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_ended` ON `webhook_endpoints` (`tenant_id`) WHERE ended_until IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `endpoint` text DEFAULT 'first' NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `description` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `sends_completed` integer DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `sends_failed` integer DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `max_per_second` integer;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `created_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `deliveries` ADD `endpoint` text DEFAULT 'first' NOT NULL;
--> statement-breakpoint
ALTER TABLE `range_redeliveries` ADD `endpoint` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- Of each endpoint by itself, so that the backlog of one hides no other's.
DROP INDEX `deliveries_due`;
--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`tenant_id`,`endpoint`,`due_at`) WHERE due_at IS NOT NULL;
