-- Clicks on short URLs by day, in the customer's time zone: at most three rows for each, and nothing about who clicked. Without a
-- foreign key, so that a deletion that is undone keeps them.
create table short_url_clicks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  short_url_id bigint not null,
  day date not null,
  kind text not null check (kind in ('person', 'suspect', 'bot')),
  clicks integer not null check (clicks >= 0),
  primary key (customer_id, short_url_id, day, kind)
);
call protect_tenant_table('short_url_clicks', array['short_url_id', 'day', 'kind'], operations => 'select, insert, update',
  audited => false);
create policy queue on short_url_clicks to forecourt_jobs using (true);
grant select, delete on short_url_clicks to forecourt_jobs;

-- Keys that visitors opened although there is no such short URL: misprinted, mistyped or deleted.
create table unknown_short_keys (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  key text not null check (length(key) between 2 and 40),
  clicks integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (customer_id, key)
);
call protect_tenant_table('unknown_short_keys', array['key'], audited => false);
create policy queue on unknown_short_keys to forecourt_jobs using (true);
grant select, delete on unknown_short_keys to forecourt_jobs;
