CREATE TABLE `export_defaults` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`defaults` text NOT NULL
);
--> statement-breakpoint
-- WITHOUT ROWID, as for the garments: one row less is written for each export. drizzle-kit cannot say it.
CREATE TABLE `last_exports` (
	`tenant_id` text NOT NULL,
	`format` text NOT NULL,
	`exported_at` integer NOT NULL,
	`recent` text NOT NULL,
	`left_out` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `format`)
) WITHOUT ROWID;
