-- A place where vehicles stand. It belongs to one organization; its code is unique in the customer.
create table lots (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  code text not null check (code = upper(code)),
  name text not null,
  type text not null default 'both' check (type in ('new', 'used', 'both', 'service')),
  address text,
  city text,
  region text,
  postal_code text,
  phone text,
  -- Null: the zone of the organization.
  time_zone text,
  makes text[] not null default '{}',
  is_public boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, code),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index lots_organization on lots (customer_id, organization_id);
create index lots_name on lots (customer_id, name, id);
create trigger touch before update on lots for each row execute function touch_row();
call protect_tenant_table('lots', array['id'], by_organization => true);
