CREATE TABLE `dead_letters` (
	`queue` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pauses` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`tagging` integer DEFAULT false NOT NULL,
	`deliveries` integer DEFAULT false NOT NULL,
	`changed_at` integer NOT NULL
);
