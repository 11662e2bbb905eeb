-- The page that opens at the address of the site itself. At most one of a customer.
alter table promo_pages add is_home boolean not null default false;
create unique index promo_pages_home on promo_pages (customer_id) where is_home;
