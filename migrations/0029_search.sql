-- The words of what clients say of their garments, of the tenants that search only. No FTS5: a database with such a table
-- cannot be exported. WITHOUT ROWID, which drizzle-kit cannot say. `sort_time` is that of the upload, negative, so that one scan
-- of the key gives the words in their order and of each the newest garments first.
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
ALTER TABLE `hosted_tenants` ADD `search_cursor` text;
--> statement-breakpoint
ALTER TABLE `hosted_tenants` ADD `searched_at` integer;
--> statement-breakpoint
CREATE INDEX `hosted_tenants_search` ON `hosted_tenants` (`tenant_id`) WHERE search_cursor IS NOT NULL AND searched_at IS NULL;
