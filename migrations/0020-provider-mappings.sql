-- How the feed of a provider becomes vehicles: its columns to our fields. Kept by the customer for all its rooftops.
create table provider_mappings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- Which of the presets in the code it began with.
  provider text,
  mapping jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on provider_mappings for each row execute function touch_row('name_key');
call protect_tenant_table('provider_mappings', array['id']);

-- Every state a mapping was saved in, numbered as the mapping was then. Nothing here is ever changed: a run of an import
-- names the version it used.
create table provider_mapping_versions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  mapping_id bigint not null,
  version integer not null,
  name text not null,
  provider text,
  mapping jsonb not null,
  created_at timestamptz not null default now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, mapping_id, version),
  foreign key (customer_id, mapping_id) references provider_mappings (customer_id, id) on delete cascade
);
call protect_tenant_table('provider_mapping_versions', array['mapping_id', 'version'], operations => 'select, insert', audited => false);
