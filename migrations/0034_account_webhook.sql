-- Only adds. WITHOUT ROWID: one row less is written for each event. drizzle-kit cannot say it. The partial indexes hold only what
-- the sweep is to tell an account of, so that an upload or a delivery that succeeds writes no row more.
CREATE TABLE `account_events` (
	`merchant_id` text NOT NULL,
	`id` text NOT NULL,
	`event` text NOT NULL,
	`data` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`merchant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `account_events_by_merchant` ON `account_events` (`merchant_id`,`at`);
--> statement-breakpoint
CREATE INDEX `account_events_by_age` ON `account_events` (`at`);
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD `quotas_told` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `waiting_garments_untold` ON `waiting_garments` (`tenant_id`) WHERE ((((max_garments > 0 AND garments * 100 >= max_garments * 90) * 1 + (max_import_lines > 0 AND import_lines * 100 >= max_import_lines * 90) * 2 + (max_text_bytes > 0 AND text_bytes * 100 >= max_text_bytes * 90) * 4 + (max_files > 0 AND files * 100 >= max_files * 90) * 8 + (max_file_bytes > 0 AND file_bytes * 100 >= max_file_bytes * 90) * 16) & ~quotas_told) | (quotas_told & ~((max_garments > 0 AND garments * 100 >= max_garments * 80) * 1 + (max_import_lines > 0 AND import_lines * 100 >= max_import_lines * 80) * 2 + (max_text_bytes > 0 AND text_bytes * 100 >= max_text_bytes * 80) * 4 + (max_files > 0 AND files * 100 >= max_files * 80) * 8 + (max_file_bytes > 0 AND file_bytes * 100 >= max_file_bytes * 80) * 16))) <> 0;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `told_failing` integer;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `told_reason` text DEFAULT '' NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_configs_untold` ON `webhook_configs` (`failing_since`) WHERE ((failing_since IS NOT NULL AND failing_since IS NOT told_failing) OR (disabled_reason <> '' AND disabled_reason <> told_reason));
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `told_failing` integer;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `told_reason` text DEFAULT '' NOT NULL;
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_untold` ON `webhook_endpoints` (`failing_since`) WHERE ((failing_since IS NOT NULL AND failing_since IS NOT told_failing) OR (disabled_reason <> '' AND disabled_reason <> told_reason));
