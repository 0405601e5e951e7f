CREATE TABLE `unused_pictures` (
	`picture_id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`remove_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `unused_pictures_due` ON `unused_pictures` (`remove_at`);