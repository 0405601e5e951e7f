CREATE TABLE `opinion_days` (
	`day` text NOT NULL,
	`outcome` text NOT NULL,
	`count` integer NOT NULL,
	`tokens` integer NOT NULL,
	`dollars` real NOT NULL,
	PRIMARY KEY(`day`, `outcome`)
);
--> statement-breakpoint
ALTER TABLE `hosted_tenants` ADD `allows_opinion` integer DEFAULT true NOT NULL;