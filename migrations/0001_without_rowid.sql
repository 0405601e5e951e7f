-- Tables WITHOUT ROWID, which drizzle-kit cannot say. Their columns are those of src/db/without-rowid.ts.
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
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_entries_by_age` ON `audit_entries` (`at`);
--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`tenant_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer NOT NULL,
	`error` text NOT NULL,
	`response_body` text NOT NULL,
	`trigger` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `delivery_id`, `attempt`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `import_lines` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`uuid` text NOT NULL,
	`image_url` text NOT NULL,
	`images` text DEFAULT '' NOT NULL,
	`attribute` text NOT NULL,
	`picture_id` text NOT NULL,
	`status` text NOT NULL,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `line`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_lines_by_status` ON `import_lines` (`tenant_id`,`import_id`,`status`,`line`);
--> statement-breakpoint
CREATE TABLE `last_exports` (
	`tenant_id` text NOT NULL,
	`format` text NOT NULL,
	`exported_at` integer NOT NULL,
	`recent` text NOT NULL,
	`left_out` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `format`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `stored_files` (
	`tenant_id` text NOT NULL,
	`picture_id` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `picture_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `waiting_events` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`body` text NOT NULL
) WITHOUT ROWID;
