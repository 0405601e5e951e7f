ALTER TABLE `deliveries` ADD `first_attempt` text;
