CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`role` text NOT NULL,
	`label` text NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash_unique` ON `invitations` (`hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_merchant` ON `invitations` (`merchant_id`,`expires_at`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`merchant_id` text NOT NULL,
	`role` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`session_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email_unique` ON `members` (`email`);--> statement-breakpoint
CREATE INDEX `members_by_merchant` ON `members` (`merchant_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`member_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_hash_unique` ON `password_resets` (`hash`);--> statement-breakpoint
INSERT INTO `members` (`id`, `merchant_id`, `role`, `email`, `name`, `password_hash`, `session_version`, `created_at`)
SELECT `id`, `id`, 'owner', `email`, `name`, `password_hash`, `session_version`, `created_at` FROM `merchants`;
--> statement-breakpoint
-- The version that is deployed while this is applied, or again after a rollback, knows `merchants` only. These keep it in
-- step with the member who registered it, in both directions.
CREATE TRIGGER `merchants_inserted` AFTER INSERT ON `merchants` BEGIN
	INSERT OR IGNORE INTO `members` (`id`, `merchant_id`, `role`, `email`, `name`, `password_hash`, `session_version`, `created_at`)
	VALUES (NEW.`id`, NEW.`id`, 'owner', NEW.`email`, NEW.`name`, NEW.`password_hash`, NEW.`session_version`, NEW.`created_at`);
END;
--> statement-breakpoint
CREATE TRIGGER `merchants_changed` AFTER UPDATE OF `password_hash`, `session_version` ON `merchants` BEGIN
	UPDATE `members` SET `password_hash` = NEW.`password_hash`, `session_version` = NEW.`session_version`
	WHERE `id` = NEW.`id` AND (`password_hash` <> NEW.`password_hash` OR `session_version` <> NEW.`session_version`);
END;
--> statement-breakpoint
CREATE TRIGGER `merchants_deleted` AFTER DELETE ON `merchants` BEGIN
	DELETE FROM `members` WHERE `merchant_id` = OLD.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `members_changed` AFTER UPDATE OF `password_hash`, `session_version` ON `members` BEGIN
	UPDATE `merchants` SET `password_hash` = NEW.`password_hash`, `session_version` = NEW.`session_version`
	WHERE `id` = NEW.`id` AND (`password_hash` <> NEW.`password_hash` OR `session_version` <> NEW.`session_version`);
END;
--> statement-breakpoint
-- Nobody signs in with an id, and the email is free for another account.
CREATE TRIGGER `members_deleted` AFTER DELETE ON `members` BEGIN
	UPDATE `merchants` SET `email` = `id`, `password_hash` = '' WHERE `id` = OLD.`id`;
END;
