-- Words that people put on vehicles to find them together again: "Front line", "Auction Friday". No feed writes them.
alter table vehicles add column tags text[] not null default '{}' check (cardinality(tags) <= 30);
