-- Where people who opened a short URL came from, and with which kind of device, by day in the customer's time zone: sums, and nothing
-- about who clicked. Without a foreign key, like the clicks.
create table short_url_visits (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  short_url_id bigint not null,
  day date not null,
  device text not null check (device in ('phone', 'tablet', 'desktop')),
  -- The site with the link; blank: none, as from a QR code, an email or an app.
  referrer text not null check (length(referrer) <= 60),
  people integer not null check (people >= 0),
  primary key (customer_id, short_url_id, day, device, referrer)
);
call protect_tenant_table('short_url_visits', array['short_url_id', 'day', 'device', 'referrer'],
  operations => 'select, insert, update', audited => false);
create policy queue on short_url_visits to forecourt_jobs using (true);
grant select, delete on short_url_visits to forecourt_jobs;

-- The leads of a short URL.
create index leads_of_short_url on leads (customer_id, (campaign ->> 'short_url')) where campaign ->> 'short_url' is not null;
