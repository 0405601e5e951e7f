CREATE TABLE `waiting_garments` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`waiting` integer NOT NULL,
	`max_waiting` integer NOT NULL,
	CONSTRAINT "waiting_garments_limit" CHECK("waiting_garments"."waiting" <= "waiting_garments"."max_waiting")
);
--> statement-breakpoint
DROP INDEX `garments_by_age`;--> statement-breakpoint
DROP INDEX `garments_by_status`;--> statement-breakpoint
DROP INDEX `garments_due`;--> statement-breakpoint
ALTER TABLE `garments` ADD `lease_until` integer;--> statement-breakpoint
CREATE INDEX `garments_active` ON `garments` (`tenant_id`,`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `garments_ended` ON `garments` (`tenant_id`,`status`,`created_at`,`uuid`) WHERE ended_at IS NOT NULL;--> statement-breakpoint
INSERT INTO `waiting_garments` SELECT `tenant_id`, count(*), max(count(*), 1000) FROM `garments` WHERE `due_at` IS NOT NULL GROUP BY `tenant_id`;
