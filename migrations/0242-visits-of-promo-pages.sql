-- Visits of promo pages by day, in the customer's time zone: at most three rows for each, and nothing about who visited. Without a
-- foreign key, so that a deletion that is undone keeps them (docs/decisions/0262-visits-of-pages.md).
create table promo_page_visits (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  page_id bigint not null,
  day date not null,
  kind text not null check (kind in ('person', 'suspect', 'bot')),
  visits integer not null check (visits >= 0),
  primary key (customer_id, page_id, day, kind)
);
call protect_tenant_table('promo_page_visits', array['page_id', 'day', 'kind'], operations => 'select, insert, update',
  audited => false);
create policy queue on promo_page_visits to forecourt_jobs using (true);
grant select, delete on promo_page_visits to forecourt_jobs;
