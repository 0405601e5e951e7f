-- WITHOUT ROWID stores each line in its primary key: one row less is written for each. drizzle-kit cannot say it.
CREATE TABLE `import_lines` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`uuid` text NOT NULL,
	`image_url` text NOT NULL,
	`attribute` text NOT NULL,
	`picture_id` text NOT NULL,
	`status` text NOT NULL,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `line`)
) WITHOUT ROWID;
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
	`created_at` integer NOT NULL,
	`stored_at` integer,
	`ended_at` integer,
	PRIMARY KEY(`tenant_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `imports_by_tenant` ON `imports` (`tenant_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_storing` ON `imports` (`created_at`) WHERE stored_at IS NULL;--> statement-breakpoint
CREATE INDEX `imports_open` ON `imports` (`tenant_id`,`created_at`) WHERE ended_at IS NULL;--> statement-breakpoint
CREATE TABLE `loose_files` (
	`tenant_id` text NOT NULL,
	`picture_id` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `picture_id`)
);
--> statement-breakpoint
CREATE INDEX `loose_files_by_age` ON `loose_files` (`since`);