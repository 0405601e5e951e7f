CREATE TABLE `sweep_positions` (
	`name` text PRIMARY KEY NOT NULL,
	`position` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `range_redeliveries` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`position_at` integer NOT NULL,
	`position_id` text NOT NULL,
	`until` integer NOT NULL,
	`next_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `range_redeliveries_due` ON `range_redeliveries` (`next_at`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_deliveries` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`tenant_id` text NOT NULL,
	`garment_uuid` text NOT NULL,
	`status` text NOT NULL,
	`attempt_count` integer DEFAULT 0 NOT NULL,
	`last_attempt_at` integer,
	`next_attempt_at` integer,
	`last_error` text DEFAULT '' NOT NULL,
	`response_status` integer DEFAULT 0 NOT NULL,
	`claim_id` text,
	`lease_until` integer,
	`claims` integer DEFAULT 0 NOT NULL,
	`redelivered_from` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_deliveries`("number", "id", "tenant_id", "garment_uuid", "status", "attempt_count", "last_attempt_at", "next_attempt_at", "last_error", "response_status", "claim_id", "lease_until", "claims", "redelivered_from", "due_at", "created_at", "updated_at") SELECT rowid, "id", "tenant_id", "garment_uuid", "status", "attempt_count", "last_attempt_at", "next_attempt_at", "last_error", "response_status", "claim_id", "lease_until", "claims", "redelivered_from", "due_at", "created_at", "updated_at" FROM `deliveries`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_by_garment` ON `deliveries` (`tenant_id`,`garment_uuid`);--> statement-breakpoint
CREATE INDEX `deliveries_by_status` ON `deliveries` (`tenant_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`tenant_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `__new_delivery_attempts` (
	`delivery_number` integer NOT NULL,
	`attempt` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer NOT NULL,
	`error` text NOT NULL,
	`response_body` text NOT NULL,
	`trigger` text NOT NULL,
	PRIMARY KEY(`delivery_number`, `attempt`)
);
--> statement-breakpoint
INSERT INTO `__new_delivery_attempts`("delivery_number", "attempt", "tenant_id", "at", "duration_ms", "response_status", "error", "response_body", "trigger") SELECT d."number", CAST(substr(a."id", length(a."delivery_id") + 2) AS INTEGER), a."tenant_id", a."at", a."duration_ms", a."response_status", a."error", a."response_body", a."trigger" FROM `delivery_attempts` a JOIN `deliveries` d ON d."id" = a."delivery_id" ORDER BY a.rowid;--> statement-breakpoint
DROP TABLE `delivery_attempts`;--> statement-breakpoint
ALTER TABLE `__new_delivery_attempts` RENAME TO `delivery_attempts`;--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `key_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_configs_by_key` ON `webhook_configs` (`key_id`);--> statement-breakpoint
CREATE INDEX `webhook_configs_former_secrets` ON `webhook_configs` (`former_secret_until`) WHERE former_secret_until IS NOT NULL;