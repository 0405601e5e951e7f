ALTER TABLE `garments` ADD `details` text;
--> statement-breakpoint
-- The generated columns count the neckline, too. Their names stay, so that earlier versions go on working.
DROP INDEX `garments_by_doubt`;
--> statement-breakpoint
ALTER TABLE `garments` DROP COLUMN `doubt`;
--> statement-breakpoint
ALTER TABLE `garments` DROP COLUMN `doubt_points`;
--> statement-breakpoint
-- 10 for each value of confidence Low and 1 for each Medium that nobody has confirmed or corrected. Neckline, fit,
-- closure, fabric and sleeve do not count once a person has changed the item type: the machine gave them for another one.
ALTER TABLE `garments` ADD `doubt_points` integer GENERATED ALWAYS AS (
	CASE tag ->> '$."Item Type Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag."Item Type"' IS NULL)
	+ CASE tag ->> '$."Colour Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Colour' IS NULL)
	+ CASE tag ->> '$."Pattern Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Pattern' IS NULL)
	+ (
		CASE tag ->> '$."Sleeve Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Sleeve' IS NULL)
		+ CASE tag ->> '$."Neckline Confidence"' WHEN 'Low' THEN 10 WHEN 'Medium' THEN 1 ELSE 0 END * (corrections -> '$.tag.Neckline' IS NULL)
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
CREATE INDEX `garments_by_doubt` ON `garments` (`tenant_id`,`doubt`,`colour`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
