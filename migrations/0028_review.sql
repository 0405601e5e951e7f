-- The attributes that the tenant has reviewed, one bit each in the order of src/review/reviewed-attributes.ts; null of a
-- tenant that has chosen none. Of a garment, as it was when the garment was last told; null, which is all of them, where
-- the version before tagged it.
ALTER TABLE `garments` ADD `reviewed` integer;
--> statement-breakpoint
ALTER TABLE `hosted_tenants` ADD `reviewed` integer;
--> statement-breakpoint
ALTER TABLE `hosted_tenants` ADD `review_position` text;
--> statement-breakpoint
CREATE INDEX `hosted_tenants_review` ON `hosted_tenants` (`tenant_id`) WHERE review_position IS NOT NULL;
--> statement-breakpoint
-- The sweep tells the garments that are there.
UPDATE `hosted_tenants` SET `review_position` = '';
--> statement-breakpoint
-- The names of columns and index stay, so that the version before goes on working.
DROP INDEX `garments_by_doubt`;
--> statement-breakpoint
ALTER TABLE `garments` DROP COLUMN `doubt`;
--> statement-breakpoint
ALTER TABLE `garments` DROP COLUMN `doubt_points`;
--> statement-breakpoint
-- How many of the reviewed attributes are expected to be wrong, in thousandths: of each value of confidence Low or Medium
-- that nobody has confirmed or corrected, the probability that it is wrong. What depends on the item type counts only
-- where it was read for the type that the garment has now.
ALTER TABLE `garments` ADD `doubt_points` integer GENERATED ALWAYS AS (
	(coalesce(reviewed, 255) & 1 > 0) * (corrections -> '$.tag."Item Type"' IS NULL) * CASE tag ->> '$."Item Type Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Item Type"[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Item Type"[0]')), 250) ELSE 0 END
	+ (coalesce(reviewed, 255) & 2 > 0) * (corrections -> '$.tag.Colour' IS NULL) * CASE tag ->> '$."Colour Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Colour[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Colour[0]')), 250) ELSE 0 END
	+ (coalesce(reviewed, 255) & 4 > 0) * (corrections -> '$.tag.Pattern' IS NULL) * CASE tag ->> '$."Pattern Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Pattern[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Pattern[0]')), 250) ELSE 0 END
	+ (
		(coalesce(reviewed, 255) & 8 > 0) * (corrections -> '$.tag.Sleeve' IS NULL) * CASE tag ->> '$."Sleeve Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Sleeve[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Sleeve[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 255) & 16 > 0) * (corrections -> '$.tag.Neckline' IS NULL) * CASE tag ->> '$."Neckline Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Neckline[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Neckline[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 255) & 32 > 0) * (corrections -> '$.tag.Fit' IS NULL) * CASE tag ->> '$."Fit Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Fit[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Fit[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 255) & 64 > 0) * (corrections -> '$.tag.Closure' IS NULL) * CASE tag ->> '$."Closure Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Closure[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Closure[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 255) & 128 > 0) * (corrections -> '$.tag."Fabric Type"' IS NULL) * CASE tag ->> '$."Fabric Type Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Fabric Type"[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Fabric Type"[0]')), 250) ELSE 0 END
	) * coalesce(coalesce(corrections ->> '$.tag."Item Type".value', tag ->> '$."Item Type"') = coalesce(details ->> '$.measuredAs', tag ->> '$."Item Type"'), 1)
) VIRTUAL;
--> statement-breakpoint
-- 3, 2, 1 or 0 as before: few, so that one index can be walked level by level for each colour.
ALTER TABLE `garments` ADD `doubt` integer GENERATED ALWAYS AS (
	CASE WHEN doubt_points >= 500 THEN 3 WHEN doubt_points >= 250 THEN 2 WHEN doubt_points > 0 THEN 1 ELSE 0 END
) VIRTUAL;
--> statement-breakpoint
CREATE INDEX `garments_by_doubt` ON `garments` (`tenant_id`,`doubt`,`colour`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
