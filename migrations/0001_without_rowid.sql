-- Written by hand: what drizzle-kit cannot say. The columns of the tables are in src/db/without-rowid.ts, and those of
-- the generated ones in `facets` of src/db/tables/garment.ts.
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
CREATE TABLE `audit_entries` (
	`holder_id` text NOT NULL,
	`at` integer NOT NULL,
	`id` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`holder_id`, `at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `audit_entries_by_age` ON `audit_entries` (`at`);
--> statement-breakpoint
CREATE TABLE `delivery_attempts` (
	`tenant_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer NOT NULL,
	`error` text NOT NULL,
	`response_body` text NOT NULL,
	`trigger` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `delivery_id`, `attempt`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `import_lines` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`uuid` text NOT NULL,
	`image_url` text NOT NULL,
	`attribute` text NOT NULL,
	`picture_id` text NOT NULL,
	`status` text NOT NULL,
	`problem` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `line`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `import_lines_by_status` ON `import_lines` (`tenant_id`,`import_id`,`status`,`line`);
--> statement-breakpoint
CREATE TABLE `last_exports` (
	`tenant_id` text NOT NULL,
	`format` text NOT NULL,
	`exported_at` integer NOT NULL,
	`recent` text NOT NULL,
	`left_out` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `format`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `search_words` (
	`tenant_id` text NOT NULL,
	`word` text NOT NULL,
	`sort_time` integer NOT NULL,
	`uuid` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `word`, `sort_time`, `uuid`),
	FOREIGN KEY (`tenant_id`,`uuid`) REFERENCES `garments`(`tenant_id`,`uuid`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `search_words_by_garment` ON `search_words` (`tenant_id`,`uuid`);
--> statement-breakpoint
CREATE TABLE `stored_files` (
	`tenant_id` text NOT NULL,
	`picture_id` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `picture_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `garments` ADD `item_type` text GENERATED ALWAYS AS (
	coalesce(corrections ->> '$.tag."Item Type".value', tag ->> '$."Item Type"', '')
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `garments` ADD `colour` text GENERATED ALWAYS AS (
	coalesce(corrections ->> '$.tag.Colour.value', tag ->> '$.Colour', '')
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `garments` ADD `brand` text GENERATED ALWAYS AS (
	coalesce(corrections ->> '$.tag.Brand.value', tag ->> '$.Brand', '')
) VIRTUAL;
--> statement-breakpoint
ALTER TABLE `garments` ADD `corrected` integer GENERATED ALWAYS AS (
	coalesce(corrections ->> '$.changed', corrections IS NOT NULL)
) VIRTUAL;
--> statement-breakpoint
CREATE INDEX `garments_by_doubt` ON `garments` (`tenant_id`,`doubt`,`colour`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `garments_by_type` ON `garments` (`tenant_id`,`item_type`,`brand`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `garments_corrected` ON `garments` (`tenant_id`,`created_at`,`uuid`) WHERE corrected = 1;
