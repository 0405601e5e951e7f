-- WITHOUT ROWID: one row less is written for each entry. drizzle-kit cannot say it.
CREATE TABLE `audit_entries` (
	`holder_id` text NOT NULL,
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	PRIMARY KEY(`holder_id`, `at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_entries_by_age` ON `audit_entries` (`at`);
--> statement-breakpoint
-- So that an import of files says how many have not arrived.
ALTER TABLE `imports` ADD `expected_files` integer DEFAULT 0 NOT NULL;
