-- Without rewriting `waiting_garments`, as drizzle-kit would: the version that is deployed goes on writing it.
CREATE TABLE `stored_files` (
	`tenant_id` text NOT NULL,
	`picture_id` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `picture_id`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `max_garments` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `garments` integer DEFAULT 0 NOT NULL CONSTRAINT "quota_garments" CHECK(`garments` <= `max_garments`);
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `max_import_lines` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `import_lines` integer DEFAULT 0 NOT NULL CONSTRAINT "quota_import_lines" CHECK(`import_lines` <= `max_import_lines`);
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `max_text_bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `text_bytes` integer DEFAULT 0 NOT NULL CONSTRAINT "quota_text_bytes" CHECK(`text_bytes` <= `max_text_bytes`);
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `max_files` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `files` integer DEFAULT 0 NOT NULL CONSTRAINT "quota_files" CHECK(`files` <= `max_files`);
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `max_file_bytes` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD COLUMN `file_bytes` integer DEFAULT 0 NOT NULL CONSTRAINT "quota_file_bytes" CHECK(`file_bytes` <= `max_file_bytes`);
--> statement-breakpoint
-- What is stored already counts, as far as an index tells it: text and files count from now on.
INSERT INTO `waiting_garments` (`tenant_id`, `waiting`, `max_waiting`, `max_garments`, `garments`)
SELECT `tenant_id`, 0, 0, sum(`number`), sum(`number`) FROM (
	SELECT `tenant_id`, count(*) AS `number` FROM `garments` INDEXED BY `garments_ended`
	WHERE `ended_at` IS NOT NULL GROUP BY `tenant_id`
	UNION ALL
	SELECT `tenant_id`, count(*) FROM `garments` INDEXED BY `garments_active`
	WHERE `due_at` IS NOT NULL AND `ended_at` IS NULL GROUP BY `tenant_id`
) WHERE true GROUP BY `tenant_id`
ON CONFLICT (`tenant_id`) DO UPDATE SET `max_garments` = excluded.`max_garments`, `garments` = excluded.`garments`;
--> statement-breakpoint
INSERT INTO `waiting_garments` (`tenant_id`, `waiting`, `max_waiting`, `max_import_lines`, `import_lines`)
SELECT `tenant_id`, 0, 0, count(*), count(*) FROM `import_lines` WHERE true GROUP BY `tenant_id`
ON CONFLICT (`tenant_id`) DO UPDATE SET `max_import_lines` = excluded.`max_import_lines`, `import_lines` = excluded.`import_lines`;
