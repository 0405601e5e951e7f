-- Generated columns, so that tagging, tagging again and correcting need not keep them right, and existing garments have
-- them. They are computed where an index or a list needs them, and not stored in the table.
DROP INDEX `garments_doubtful`;
--> statement-breakpoint
ALTER TABLE `garments` DROP COLUMN `doubt`;
--> statement-breakpoint
-- 10 for each value of confidence Low and 1 for each Medium that nobody has confirmed or corrected. Fit, closure, fabric
-- and sleeve do not count once a person has changed the item type: the machine gave them for another one.
ALTER TABLE `garments` ADD `doubt_points` integer GENERATED ALWAYS AS (
	CASE tag ->> '$."Item Type Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag."Item Type"' IS NULL)
	+ CASE tag ->> '$."Colour Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Colour' IS NULL)
	+ CASE tag ->> '$."Pattern Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Pattern' IS NULL)
	+ (
		CASE tag ->> '$."Sleeve Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Sleeve' IS NULL)
		+ CASE tag ->> '$."Fit Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Fit' IS NULL)
		+ CASE tag ->> '$."Closure Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Closure' IS NULL)
		+ CASE tag ->> '$."Fabric Type Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag."Fabric Type"' IS NULL)
	) * coalesce(corrections ->> '$.tag."Item Type".value' = tag ->> '$."Item Type"', 1)
) VIRTUAL;
--> statement-breakpoint
-- 3 with several Low values, 2 with one, 1 with Medium ones only, else 0: few, so that one index can be walked level by
-- level for each colour.
ALTER TABLE `garments` ADD `doubt` integer GENERATED ALWAYS AS (
	CASE WHEN doubt_points >= 20 THEN 3 WHEN doubt_points >= 10 THEN 2 WHEN doubt_points > 0 THEN 1 ELSE 0 END
) VIRTUAL;
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
