-- Versions up to this one were taken from the site and never come back by themselves, also not while a newer one waits for its day.
alter table promo_pages add withdrawn_through integer not null default 0;
update promo_pages set withdrawn_through = coalesce(published_number, 0) where withdrawn_at is not null;
