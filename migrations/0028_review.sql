-- The attributes that the tenant has reviewed, one bit each in the order of src/review/reviewed-attributes.ts; null for
-- item type, colour and pattern. Of a garment, as the tenant had chosen when it was last told.
ALTER TABLE `garments` ADD `reviewed` integer;
--> statement-breakpoint
ALTER TABLE `hosted_tenants` ADD `reviewed` integer;
--> statement-breakpoint
ALTER TABLE `hosted_tenants` ADD `review_position` text;
--> statement-breakpoint
CREATE INDEX `hosted_tenants_review` ON `hosted_tenants` (`tenant_id`) WHERE review_position IS NOT NULL;
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
	(coalesce(reviewed, 7) & 1 > 0) * (corrections -> '$.tag."Item Type"' IS NULL) * CASE tag ->> '$."Item Type Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Item Type"[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Item Type"[0]')), 250) ELSE 0 END
	+ (coalesce(reviewed, 7) & 2 > 0) * (corrections -> '$.tag.Colour' IS NULL) * CASE tag ->> '$."Colour Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Colour[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Colour[0]')), 250) ELSE 0 END
	+ (coalesce(reviewed, 7) & 4 > 0) * (corrections -> '$.tag.Pattern' IS NULL) * CASE tag ->> '$."Pattern Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Pattern[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Pattern[0]')), 250) ELSE 0 END
	+ (
		(coalesce(reviewed, 7) & 8 > 0) * (corrections -> '$.tag.Sleeve' IS NULL) * CASE tag ->> '$."Sleeve Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Sleeve[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Sleeve[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 7) & 16 > 0) * (corrections -> '$.tag.Neckline' IS NULL) * CASE tag ->> '$."Neckline Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Neckline[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Neckline[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 7) & 32 > 0) * (corrections -> '$.tag.Fit' IS NULL) * CASE tag ->> '$."Fit Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Fit[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Fit[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 7) & 64 > 0) * (corrections -> '$.tag.Closure' IS NULL) * CASE tag ->> '$."Closure Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Closure[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities.Closure[0]')), 250) ELSE 0 END
		+ (coalesce(reviewed, 7) & 128 > 0) * (corrections -> '$.tag."Fabric Type"' IS NULL) * CASE tag ->> '$."Fabric Type Confidence"' WHEN 'Low' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Fabric Type"[0]')), 500) WHEN 'Medium' THEN coalesce(1000 - round(1000 * (details ->> '$.probabilities."Fabric Type"[0]')), 250) ELSE 0 END
	) * coalesce(coalesce(corrections ->> '$.tag."Item Type".value', tag ->> '$."Item Type"') = coalesce(details ->> '$.measuredAs', tag ->> '$."Item Type"'), 1)
) VIRTUAL;
--> statement-breakpoint
-- In levels of 150 and at most 15: few, so that one index can be walked level by level for each colour.
ALTER TABLE `garments` ADD `doubt` integer GENERATED ALWAYS AS (min(15, (doubt_points + 149) / 150)) VIRTUAL;
--> statement-breakpoint
CREATE INDEX `garments_by_doubt` ON `garments` (`tenant_id`,`doubt`,`colour`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
