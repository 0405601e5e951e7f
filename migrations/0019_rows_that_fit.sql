-- In a table WITHOUT ROWID, what of a row is above 1,002 bytes takes pages of its own, 4 KB at least. Garments have
-- more than that, so they get a rowid again; attempts have less, so they lose theirs, and with it the row of their index:
-- no more rows are written for a garment. Names and columns stay, so that the version before goes on working.
CREATE TABLE `garments_new` (
	`tenant_id` text NOT NULL,
	`uuid` text NOT NULL,
	`image_url` text NOT NULL,
	`attribute` text NOT NULL,
	`origin` text NOT NULL,
	`status` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`claim_id` text,
	`lease_until` integer,
	`due_at` integer,
	`failure_reason` text DEFAULT '' NOT NULL,
	`picture_id` text NOT NULL,
	`tag` text,
	`measurements` text,
	`description` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`corrections` text,
	`review_session` text,
	`review_until` integer,
	`details` text,
	`item_type` text GENERATED ALWAYS AS (coalesce(corrections ->> '$.tag."Item Type".value', tag ->> '$."Item Type"', '')) VIRTUAL,
	`colour` text GENERATED ALWAYS AS (coalesce(corrections ->> '$.tag.Colour.value', tag ->> '$.Colour', '')) VIRTUAL,
	`brand` text GENERATED ALWAYS AS (coalesce(corrections ->> '$.tag.Brand.value', tag ->> '$.Brand', '')) VIRTUAL,
	`corrected` integer GENERATED ALWAYS AS (coalesce(corrections ->> '$.changed', corrections IS NOT NULL)) VIRTUAL,
	-- 10 for each value of confidence Low and 1 for each Medium that nobody has confirmed or corrected. Neckline, fit,
	-- closure, fabric and sleeve do not count once a person has changed the item type: the machine gave them for another one.
	`doubt_points` integer GENERATED ALWAYS AS (
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
	) VIRTUAL,
	-- 3 with several Low values, 2 with one, 1 with Medium ones only, else 0: few, so that one index can be walked level by
	-- level for each colour.
	`doubt` integer GENERATED ALWAYS AS (
		CASE WHEN doubt_points >= 20 THEN 3 WHEN doubt_points >= 10 THEN 2 WHEN doubt_points > 0 THEN 1 ELSE 0 END
	) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `garments_by_uuid` ON `garments_new` (`tenant_id`,`uuid`);
--> statement-breakpoint
INSERT INTO `garments_new` (`tenant_id`, `uuid`, `image_url`, `attribute`, `origin`, `status`, `tries`, `claim_id`, `lease_until`, `due_at`, `failure_reason`, `picture_id`, `tag`, `measurements`, `description`, `created_at`, `ended_at`, `corrections`, `review_session`, `review_until`, `details`)
SELECT `tenant_id`, `uuid`, `image_url`, `attribute`, `origin`, `status`, `tries`, `claim_id`, `lease_until`, `due_at`, `failure_reason`, `picture_id`, `tag`, `measurements`, `description`, `created_at`, `ended_at`, `corrections`, `review_session`, `review_until`, `details` FROM `garments`;
--> statement-breakpoint
DROP TABLE `garments`;
--> statement-breakpoint
ALTER TABLE `garments_new` RENAME TO `garments`;
--> statement-breakpoint
CREATE INDEX `garments_active` ON `garments` (`tenant_id`,`due_at`,`uuid`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `garments_ended` ON `garments` (`tenant_id`,`status`,`created_at`,`uuid`) WHERE ended_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `garments_by_doubt` ON `garments` (`tenant_id`,`doubt`,`colour`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `garments_by_type` ON `garments` (`tenant_id`,`item_type`,`brand`,`created_at`,`uuid`) WHERE tag IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `garments_corrected` ON `garments` (`tenant_id`,`created_at`,`uuid`) WHERE corrected = 1;
--> statement-breakpoint
CREATE TABLE `delivery_attempts_new` (
	`delivery_number` integer NOT NULL,
	`attempt` integer NOT NULL,
	`tenant_id` text NOT NULL,
	`at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`response_status` integer NOT NULL,
	`error` text NOT NULL,
	`response_body` text NOT NULL,
	`trigger` text NOT NULL,
	PRIMARY KEY(`delivery_number`, `attempt`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `delivery_attempts_new` (`delivery_number`, `attempt`, `tenant_id`, `at`, `duration_ms`, `response_status`, `error`, `response_body`, `trigger`)
SELECT `delivery_number`, `attempt`, `tenant_id`, `at`, `duration_ms`, `response_status`, `error`, `response_body`, `trigger` FROM `delivery_attempts` ORDER BY `delivery_number`, `attempt`;
--> statement-breakpoint
DROP TABLE `delivery_attempts`;
--> statement-breakpoint
ALTER TABLE `delivery_attempts_new` RENAME TO `delivery_attempts`;
