CREATE TABLE `review_counts` (
	`tenant_id` text NOT NULL,
	`week` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `week`)
);
--> statement-breakpoint
ALTER TABLE `garments` ADD `review_session` text;--> statement-breakpoint
ALTER TABLE `garments` ADD `review_until` integer;--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD `day` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD `complete` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `waiting_garments` ADD `failed` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Generated, so that tagging, tagging again and correcting need not keep it right, and existing garments have it. Fit,
-- closure, fabric and sleeve do not count once a person has changed the item type: the machine gave them for another one.
ALTER TABLE `garments` ADD `doubt` integer GENERATED ALWAYS AS (
	CASE tag ->> '$."Item Type Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag."Item Type"' IS NULL)
	+ CASE tag ->> '$."Colour Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Colour' IS NULL)
	+ CASE tag ->> '$."Pattern Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Pattern' IS NULL)
	+ (
		CASE tag ->> '$."Sleeve Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Sleeve' IS NULL)
		+ CASE tag ->> '$."Fit Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Fit' IS NULL)
		+ CASE tag ->> '$."Closure Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Closure' IS NULL)
		+ CASE tag ->> '$."Fabric Type Confidence"' WHEN 'Low' THEN 3 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag."Fabric Type"' IS NULL)
	) * coalesce(corrections ->> '$.tag."Item Type".value' = tag ->> '$."Item Type"', 1)
) VIRTUAL;
--> statement-breakpoint
CREATE INDEX `garments_doubtful` ON `garments` (`tenant_id`,`doubt`,`created_at`,`uuid`) WHERE doubt > 0;
