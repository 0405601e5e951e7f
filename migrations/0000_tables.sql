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
CREATE TABLE `audit_entries` (
	`holder_id` text NOT NULL,
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`import_id` text,
	PRIMARY KEY(`holder_id`, `at`, `id`)
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_age` ON `audit_entries` (`at`);--> statement-breakpoint
CREATE TABLE `binned_garments` (
	`tenant_id` text NOT NULL,
	`uuid` text NOT NULL,
	`number` integer NOT NULL,
	`attribute` text NOT NULL,
	`row_bytes` integer NOT NULL,
	`crop_bytes` integer DEFAULT 0 NOT NULL,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`revision` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`claim_id` text,
	`lease_until` integer,
	`queued_at` integer,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`failure` text,
	`result` text,
	`corrections` text,
	`attribute_changes` text,
	`doubt` integer DEFAULT 0 NOT NULL,
	`review_session` text,
	`review_until` integer,
	`search_text` text,
	`price` real,
	`sold_at` integer,
	`sold_price` real,
	`sold_currency` text,
	`sold_channel` text,
	`picture_hash` integer,
	`picture_colours` integer,
	`exports` text,
	`same_as` text,
	`remove_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `uuid`)
);
--> statement-breakpoint
CREATE INDEX `binned_garments_of_tenant` ON `binned_garments` (`tenant_id`,`remove_at`,`uuid`);--> statement-breakpoint
CREATE INDEX `binned_garments_due` ON `binned_garments` (`remove_at`);--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `databases` (
	`number` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`tenant_share` integer,
	`swept_at` integer NOT NULL,
	`failed_parts` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`queue` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`garment_uuid` text NOT NULL,
	`kind` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`body` text,
	`origin` text,
	`status` text NOT NULL,
	`attempt_count` integer DEFAULT 0 NOT NULL,
	`last_attempt_at` integer,
	`next_attempt_at` integer,
	`last_error` text,
	`response_status` integer,
	`claim_id` text,
	`lease_until` integer,
	`claims` integer DEFAULT 0 NOT NULL,
	`redelivered_from` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_by_garment` ON `deliveries` (`tenant_id`,`garment_uuid`,`kind`,`endpoint_id`);--> statement-breakpoint
CREATE INDEX `deliveries_by_time` ON `deliveries` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_undelivered` ON `deliveries` (`tenant_id`,`status`,`created_at`,`id`) WHERE status <> 'delivered';--> statement-breakpoint
CREATE INDEX `deliveries_failed` ON `deliveries` (`created_at`) WHERE status = 'permanently_failed';--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`tenant_id`,`endpoint_id`,`due_at`) WHERE "deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `deliveries_without_garment` ON `deliveries` (`tenant_id`,`created_at`) WHERE kind IN ('deletion', 'account');--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`tenant_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer,
	`error` text,
	`response_body` text,
	`trigger` text NOT NULL,
	PRIMARY KEY(`delivery_id`, `attempt`),
	FOREIGN KEY (`delivery_id`) REFERENCES `deliveries`(`id`) ON UPDATE cascade ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `delivery_attempts_with_answer` ON `delivery_attempts` (`tenant_id`,`at`) WHERE "delivery_attempts"."response_body" is not null;--> statement-breakpoint
CREATE TABLE `ended_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ended_sessions_by_member` ON `ended_sessions` (`member_id`);--> statement-breakpoint
CREATE TABLE `export_defaults` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`defaults` text NOT NULL,
	`files` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `garments` (
	`tenant_id` text NOT NULL,
	`uuid` text NOT NULL,
	`number` integer NOT NULL,
	`attribute` text NOT NULL,
	`row_bytes` integer NOT NULL,
	`crop_bytes` integer DEFAULT 0 NOT NULL,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`revision` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`claim_id` text,
	`lease_until` integer,
	`queued_at` integer,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`failure` text,
	`result` text,
	`corrections` text,
	`attribute_changes` text,
	`doubt` integer DEFAULT 0 NOT NULL,
	`review_session` text,
	`review_until` integer,
	`search_text` text,
	`price` real,
	`sold_at` integer,
	`sold_price` real,
	`sold_currency` text,
	`sold_channel` text,
	`picture_hash` integer,
	`picture_colours` integer,
	`exports` text,
	`same_as` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `garments_by_uuid` ON `garments` (`tenant_id`,`uuid`);--> statement-breakpoint
CREATE UNIQUE INDEX `garments_by_number` ON `garments` (`tenant_id`,`number`);--> statement-breakpoint
CREATE INDEX `garments_queued` ON `garments` (`tenant_id`,`due_at`,`queued_at`,`uuid`) WHERE "garments"."queued_at" is not null;--> statement-breakpoint
CREATE INDEX `garments_retries` ON `garments` (`tenant_id`,`due_at`,`uuid`) WHERE queued_at IS NULL AND due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `garments_ended` ON `garments` (`tenant_id`,`created_at`,`uuid`,`status`,`search_text`,`price`,`picture_hash`) WHERE "garments"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX `garments_sold` ON `garments` (`tenant_id`,`sold_at`,`sold_price`,`sold_currency`,`sold_channel`) WHERE "garments"."sold_at" is not null;--> statement-breakpoint
CREATE INDEX `garments_listed` ON `garments` (`tenant_id`,`created_at`,`uuid`) WHERE instr(search_text, ' listed#y ') > 0;--> statement-breakpoint
CREATE INDEX `garments_failed` ON `garments` (`created_at`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `garments_failed_of_tenant` ON `garments` (`tenant_id`,`created_at`,`uuid`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `garments_by_doubt` ON `garments` (`tenant_id`,`doubt`,`created_at`,`uuid`) WHERE doubt <> 0;--> statement-breakpoint
CREATE TABLE `hidden_pictures` (
	`key` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`garment_uuid` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `hidden_pictures_by_garment` ON `hidden_pictures` (`tenant_id`,`garment_uuid`);--> statement-breakpoint
CREATE TABLE `import_lines` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`uuid` text NOT NULL,
	`pictures` text,
	`attribute` text NOT NULL,
	`number` integer,
	`row_bytes` integer NOT NULL,
	`revision` text NOT NULL,
	`status` text NOT NULL,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `line`)
);
--> statement-breakpoint
CREATE INDEX `import_lines_by_status` ON `import_lines` (`tenant_id`,`import_id`,`status`,`line`);--> statement-breakpoint
CREATE TABLE `imports` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`origin` text NOT NULL,
	`paused` integer DEFAULT false NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`tagging` integer DEFAULT 0 NOT NULL,
	`complete` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`asking` integer DEFAULT 0 NOT NULL,
	`unmatched` integer DEFAULT 0 NOT NULL,
	`overwrites` integer DEFAULT false NOT NULL,
	`edits` integer DEFAULT 0 NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`undoes` text,
	`expected_files` integer DEFAULT 0 NOT NULL,
	`made_by` text,
	`created_at` integer NOT NULL,
	`stored_at` integer,
	`ended_at` integer,
	`remove_at` integer,
	PRIMARY KEY(`tenant_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `imports_by_tenant` ON `imports` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_storing` ON `imports` (`created_at`) WHERE "imports"."stored_at" is null;--> statement-breakpoint
CREATE INDEX `imports_binned` ON `imports` (`tenant_id`,`remove_at`) WHERE "imports"."remove_at" is not null;--> statement-breakpoint
CREATE INDEX `imports_binned_due` ON `imports` (`remove_at`) WHERE "imports"."remove_at" is not null;--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`tenant_id`,`created_at`) WHERE "imports"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`role` text NOT NULL,
	`label` text NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash_unique` ON `invitations` (`hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_merchant` ON `invitations` (`merchant_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `last_exports` (
	`tenant_id` text NOT NULL,
	`format` text NOT NULL,
	`exported_at` integer NOT NULL,
	`recent` text NOT NULL,
	`left_out` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `format`)
);
--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`role` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`session_version` integer DEFAULT 0 NOT NULL,
	`saved_filters` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email_key_unique` ON `members` (`email_key`);--> statement-breakpoint
CREATE INDEX `members_by_merchant` ON `members` (`merchant_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `merchants` (
	`id` text PRIMARY KEY NOT NULL,
	`company` text NOT NULL,
	`created_at` integer NOT NULL,
	`is_confirmed` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `merchants_unconfirmed` ON `merchants` (`created_at`) WHERE is_confirmed = 0;--> statement-breakpoint
CREATE TABLE `password_resets` (
	`member_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_hash_unique` ON `password_resets` (`hash`);--> statement-breakpoint
CREATE TABLE `pauses` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`tagging` integer DEFAULT false NOT NULL,
	`deliveries` integer DEFAULT false NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pictures` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`garment_uuid` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text,
	`url` text,
	`file_id` text,
	`file_digest` text,
	`file_name` text,
	`rotation` integer,
	`copy_id` text NOT NULL,
	`predicted_kind` text,
	`role` text,
	`has_cutout` integer DEFAULT false NOT NULL,
	`cutout_off` integer DEFAULT false NOT NULL,
	`failure` text,
	`width` integer,
	`height` integer
);
--> statement-breakpoint
CREATE INDEX `pictures_by_garment` ON `pictures` (`tenant_id`,`garment_uuid`,`position`);--> statement-breakpoint
CREATE TABLE `range_redeliveries` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`endpoint_id` text,
	`status` text,
	`from_at` integer NOT NULL,
	`until` integer NOT NULL,
	`found` integer,
	`redelivered` integer DEFAULT 0 NOT NULL,
	`position_at` integer NOT NULL,
	`position_id` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`next_at` integer
);
--> statement-breakpoint
CREATE INDEX `range_redeliveries_due` ON `range_redeliveries` (`next_at`) WHERE "range_redeliveries"."next_at" is not null;--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`member_id` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_by_member` ON `recovery_codes` (`member_id`);--> statement-breakpoint
CREATE TABLE `reserved_numbers` (
	`tenant_id` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `number`)
);
--> statement-breakpoint
CREATE TABLE `retags` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	`position_tenant_id` text NOT NULL,
	`position_at` integer NOT NULL,
	`position_uuid` text NOT NULL,
	`step_size` integer DEFAULT 100 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `review_counts` (
	`tenant_id` text NOT NULL,
	`week` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `week`)
);
--> statement-breakpoint
CREATE TABLE `stored_files` (
	`tenant_id` text NOT NULL,
	`file_id` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `file_id`)
);
--> statement-breakpoint
CREATE TABLE `studios` (
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`cm_per_pixel` real NOT NULL,
	PRIMARY KEY(`tenant_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `tenant_counters` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`waiting` integer NOT NULL,
	`max_waiting` integer NOT NULL,
	`max_garments` integer DEFAULT 0 NOT NULL,
	`garments` integer DEFAULT 0 NOT NULL,
	`max_import_lines` integer DEFAULT 0 NOT NULL,
	`import_lines` integer DEFAULT 0 NOT NULL,
	`max_row_bytes` integer DEFAULT 0 NOT NULL,
	`row_bytes` integer DEFAULT 0 NOT NULL,
	`is_over_quota` integer DEFAULT false NOT NULL,
	`grown_day` text DEFAULT '' NOT NULL,
	`grown_bytes` integer DEFAULT 0 NOT NULL,
	`last_number` integer DEFAULT 0 NOT NULL,
	`max_files` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`max_file_bytes` integer DEFAULT 0 NOT NULL,
	`file_bytes` integer DEFAULT 0 NOT NULL,
	`reported_garments` integer DEFAULT false NOT NULL,
	`reported_import_lines` integer DEFAULT false NOT NULL,
	`reported_row_bytes` integer DEFAULT false NOT NULL,
	`reported_files` integer DEFAULT false NOT NULL,
	`reported_file_bytes` integer DEFAULT false NOT NULL,
	CONSTRAINT "waiting_limit" CHECK("tenant_counters"."waiting" <= "tenant_counters"."max_waiting"),
	CONSTRAINT "quota_garments" CHECK("tenant_counters"."garments" <= "tenant_counters"."max_garments"),
	CONSTRAINT "quota_import_lines" CHECK("tenant_counters"."import_lines" <= "tenant_counters"."max_import_lines"),
	CONSTRAINT "quota_row_bytes" CHECK("tenant_counters"."row_bytes" <= "tenant_counters"."max_row_bytes"),
	CONSTRAINT "quota_files" CHECK("tenant_counters"."files" <= "tenant_counters"."max_files"),
	CONSTRAINT "quota_file_bytes" CHECK("tenant_counters"."file_bytes" <= "tenant_counters"."max_file_bytes")
);
--> statement-breakpoint
CREATE INDEX `tenant_counters_unreported` ON `tenant_counters` (`tenant_id`) WHERE (CASE WHEN reported_garments THEN NOT (max_garments > 0 AND garments * 100 >= max_garments * 80) ELSE (max_garments > 0 AND garments * 100 >= max_garments * 90) END) OR (CASE WHEN reported_import_lines THEN NOT (max_import_lines > 0 AND import_lines * 100 >= max_import_lines * 80) ELSE (max_import_lines > 0 AND import_lines * 100 >= max_import_lines * 90) END) OR (CASE WHEN reported_row_bytes THEN NOT (max_row_bytes > 0 AND row_bytes * 100 >= max_row_bytes * 80) ELSE (max_row_bytes > 0 AND row_bytes * 100 >= max_row_bytes * 90) END) OR (CASE WHEN reported_files THEN NOT (max_files > 0 AND files * 100 >= max_files * 80) ELSE (max_files > 0 AND files * 100 >= max_files * 90) END) OR (CASE WHEN reported_file_bytes THEN NOT (max_file_bytes > 0 AND file_bytes * 100 >= max_file_bytes * 80) ELSE (max_file_bytes > 0 AND file_bytes * 100 >= max_file_bytes * 90) END);--> statement-breakpoint
CREATE INDEX `tenant_counters_over_quota` ON `tenant_counters` (`tenant_id`) WHERE is_over_quota;--> statement-breakpoint
CREATE TABLE `tenant_purges` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`requested_at` integer NOT NULL,
	`next_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tenant_purges_due` ON `tenant_purges` (`next_at`);--> statement-breakpoint
CREATE TABLE `tenant_state` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`domain` text NOT NULL,
	`retention_days` integer,
	`expiry_check_at` integer DEFAULT 0 NOT NULL,
	`review_attributes` text,
	`review_position` text,
	`limits` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tenant_state_by_expiry_check` ON `tenant_state` (`expiry_check_at`);--> statement-breakpoint
CREATE INDEX `tenant_state_review` ON `tenant_state` (`tenant_id`) WHERE "tenant_state"."review_position" is not null;--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`domain` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`settings` text NOT NULL,
	`has_gate` integer DEFAULT false NOT NULL,
	`rate_limit_per_minute` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`merchant_id`) REFERENCES `merchants`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_merchant_id_unique` ON `tenants` (`merchant_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_domain_unique` ON `tenants` (`domain`);--> statement-breakpoint
CREATE TABLE `unreferenced_files` (
	`tenant_id` text NOT NULL,
	`file_id` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `file_id`)
);
--> statement-breakpoint
CREATE INDEX `unreferenced_files_by_age` ON `unreferenced_files` (`since`);--> statement-breakpoint
CREATE TABLE `unused_copies` (
	`copy_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`remove_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unused_copies_due` ON `unused_copies` (`remove_at`);--> statement-breakpoint
CREATE TABLE `waiting_events` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`enabled` integer NOT NULL,
	`url` text,
	`secret` text,
	`former_secret` text,
	`former_secret_until` integer,
	`headers` text,
	`key_id` text,
	`failing_since` integer,
	`disabled_reason` text,
	`events` text NOT NULL,
	`max_per_second` integer,
	`ended_until` integer,
	`ended_reason` text,
	`expires_at` integer,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_key` ON `webhook_endpoints` (`key_id`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_former_secrets` ON `webhook_endpoints` (`former_secret_until`) WHERE "webhook_endpoints"."former_secret_until" is not null;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_ended` ON `webhook_endpoints` (`ended_until`) WHERE "webhook_endpoints"."ended_until" is not null;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_expiring` ON `webhook_endpoints` (`expires_at`) WHERE "webhook_endpoints"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_disabled` ON `webhook_endpoints` (`tenant_id`) WHERE "webhook_endpoints"."disabled_reason" is not null;