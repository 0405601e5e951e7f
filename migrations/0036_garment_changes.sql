-- What clients' attributes were before they were changed, beside them, so that a change writes no row more.
ALTER TABLE `garments` ADD `attribute_changes` text;
--> statement-breakpoint
-- Who makes the changes of an import without pictures, for the histories of its garments.
ALTER TABLE `imports` ADD `made_by` text;
--> statement-breakpoint
-- So that many changes of garments in a row are one entry.
ALTER TABLE `audit_entries` ADD `count` integer DEFAULT 1 NOT NULL;
