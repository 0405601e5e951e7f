-- Only adds. What an account's second opinions cost in a month, for its share of the budget.
ALTER TABLE `merchants` ADD `opinion_month` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `merchants` ADD `opinion_dollars` real DEFAULT 0 NOT NULL;
