ALTER TABLE `deliveries` ADD `claims` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `redelivered_from` text;