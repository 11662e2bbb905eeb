-- Short addresses of a customer's public sites: /s/{key} sends its visitor on to a vehicle, a form or another site.
create table short_urls (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  name text not null,
  -- In the address. Addresses ignore case, so it is lowercase.
  key text not null check (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(key) between 2 and 40),
  target text not null check (target in ('vehicle', 'form', 'url')),
  -- Null once the vehicle or form was deleted; the address says that it leads nowhere anymore.
  vehicle_id bigint,
  form_id bigint,
  url text check (url like 'https://%'),
  -- The public domain that is printed; null: the customer's first.
  domain text,
  -- The last day on which it works, in the customer's time zone.
  expires_on date,
  tags text[] not null default '{}',
  utm_source text,
  utm_medium text,
  utm_campaign text,
  -- What a chat shows of the link; null: what it finds at the target.
  preview_title text,
  preview_picture text check (preview_picture like 'https://%'),
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, vehicle_id) references vehicles (customer_id, id) on delete set null (vehicle_id),
  foreign key (customer_id, form_id) references forms (customer_id, id) on delete set null (form_id),
  constraint short_urls_target check (
    (target = 'vehicle' or vehicle_id is null) and (target = 'form' or form_id is null) and (target = 'url') = (url is not null))
);
create index short_urls_organization on short_urls (customer_id, organization_id, name);
create index short_urls_vehicle on short_urls (customer_id, vehicle_id);
create index short_urls_form on short_urls (customer_id, form_id);
create trigger touch before update on short_urls for each row execute function touch_row();
call protect_tenant_table('short_urls', array['id'], by_organization => true);
-- Users who may do something with forms may do the same with short URLs.
call grant_function(38, same_as => 28, operations => array[1, 2, 3, 4, 5, 6]);
