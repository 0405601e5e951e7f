ALTER TABLE `merchants` ADD `session_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tenant_purges` ADD `next_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `tenant_purges_due` ON `tenant_purges` (`next_at`);