DROP INDEX `deliveries_by_status`;--> statement-breakpoint
CREATE INDEX `deliveries_by_status` ON `deliveries` (`tenant_id`,`status`,`created_at`,`id`) WHERE due_at IS NULL;