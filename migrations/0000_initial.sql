CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_tenant` ON `api_keys` (`tenant_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
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
CREATE UNIQUE INDEX `deliveries_by_garment` ON `deliveries` (`tenant_id`,`garment_uuid`);--> statement-breakpoint
CREATE INDEX `deliveries_by_status` ON `deliveries` (`tenant_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer NOT NULL,
	`error` text NOT NULL,
	`response_body` text NOT NULL,
	`trigger` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attempts_by_delivery` ON `delivery_attempts` (`tenant_id`,`delivery_id`,`at`);--> statement-breakpoint
CREATE TABLE `garments` (
	`tenant_id` text NOT NULL,
	`uuid` text NOT NULL,
	`image_url` text NOT NULL,
	`attribute` text NOT NULL,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`claim_id` text,
	`due_at` integer,
	`failure_reason` text DEFAULT '' NOT NULL,
	`picture_id` text NOT NULL,
	`tag` text,
	`measurements` text,
	`description` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`tenant_id`, `uuid`)
);
--> statement-breakpoint
CREATE INDEX `garments_by_age` ON `garments` (`tenant_id`,`created_at`,`uuid`);--> statement-breakpoint
CREATE INDEX `garments_by_status` ON `garments` (`tenant_id`,`status`,`created_at`,`uuid`);--> statement-breakpoint
CREATE INDEX `garments_due` ON `garments` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `merchants` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`company` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `merchants_email_unique` ON `merchants` (`email`);--> statement-breakpoint
CREATE TABLE `studios` (
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`cm_per_pixel` real NOT NULL,
	PRIMARY KEY(`tenant_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `tenant_purges` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`requested_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`domain` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_merchant_id_unique` ON `tenants` (`merchant_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_domain_unique` ON `tenants` (`domain`);--> statement-breakpoint
CREATE TABLE `webhook_configs` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`url` text NOT NULL,
	`secret` text,
	`former_secret` text,
	`former_secret_until` integer,
	`headers` text NOT NULL,
	`failing_since` integer,
	`disabled_reason` text DEFAULT '' NOT NULL,
	`updated_at` integer NOT NULL
);
