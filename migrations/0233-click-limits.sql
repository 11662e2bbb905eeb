-- After so many clicks of people a short URL has ended; null: it has no limit.
alter table short_urls add max_clicks integer check (max_clicks between 1 and 1000000000);
