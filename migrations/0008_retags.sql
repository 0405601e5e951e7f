CREATE TABLE `retags` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	`position_tenant_id` text NOT NULL,
	`position_at` integer NOT NULL,
	`position_uuid` text NOT NULL
);
