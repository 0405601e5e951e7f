CREATE TABLE `hosted_tenants` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`retention_days` integer,
	`expiry_check_at` integer DEFAULT 0 NOT NULL,
	`is_confirmed` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `hosted_tenants_by_expiry_check` ON `hosted_tenants` (`expiry_check_at`);--> statement-breakpoint
CREATE INDEX `hosted_tenants_unconfirmed` ON `hosted_tenants` (`created_at`) WHERE is_confirmed = 0;--> statement-breakpoint
CREATE TABLE `databases` (
	`number` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`swept_at` integer NOT NULL,
	`failed_parts` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `hosted_tenants` (`tenant_id`, `retention_days`, `expiry_check_at`, `is_confirmed`, `created_at`)
SELECT `id`, `retention_days`, `expiry_check_at`, true, `created_at` FROM `tenants`;
--> statement-breakpoint
-- The version that is deployed while this is applied, or again after a rollback, knows `tenants` only.
CREATE TRIGGER `tenants_inserted` AFTER INSERT ON `tenants` WHEN NEW.`id` NOT GLOB '????????-????-8*' BEGIN
	INSERT OR IGNORE INTO `hosted_tenants` (`tenant_id`, `retention_days`, `is_confirmed`, `created_at`)
	VALUES (NEW.`id`, NEW.`retention_days`, true, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `tenants_kept` AFTER UPDATE OF `retention_days` ON `tenants` BEGIN
	UPDATE `hosted_tenants` SET `retention_days` = NEW.`retention_days`, `expiry_check_at` = 0 WHERE `tenant_id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `tenants_deleted` AFTER DELETE ON `tenants` BEGIN
	DELETE FROM `hosted_tenants` WHERE `tenant_id` = OLD.`id`;
END;
