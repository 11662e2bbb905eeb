-- When an item was last worked on: the customer who was served longest ago has the next turn
-- (docs/decisions/0211-turns-of-customers-and-guessed-links.md).
alter table channel_states add column turn_at timestamptz;
alter table feed_source_states add column turn_at timestamptz;
