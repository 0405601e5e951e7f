-- Only adds. The version before neither asks for deletions nor sees a status of a redelivery: it redelivers every ended one.
ALTER TABLE `deliveries` ADD `origin` text;
--> statement-breakpoint
ALTER TABLE `range_redeliveries` ADD `status` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `range_redeliveries` ADD `from_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `range_redeliveries` ADD `redelivered` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_configs` ADD `sends_deletions` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `sends_deletions` integer DEFAULT false NOT NULL;
