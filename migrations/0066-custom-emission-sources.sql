-- Emission sources that an organization describes itself, next to the standard ones in the code: a second boiler, hotel
-- nights, a generator. Each is assigned to facilities like a standard one; its source type is `own-` and its ID.
create table custom_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  name text not null,
  scope text not null check (scope ~ '^(1|2|3\.([1-9]|1[0-5]))$'),
  -- The path of its factors, in the library or among the custom factors.
  activity text not null,
  -- In which its quantities are usually given.
  unit text not null,
  -- Removed ones are kept for the inventories that used them.
  removed_at timestamptz,
  -- The assignments that the removal closed. Restoring it opens them again.
  closed_sources bigint[] not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create unique index custom_sources_name on custom_sources (customer_id, organization_id, lower(name)) where removed_at is null;
create trigger touch before update on custom_sources for each row execute function touch_row();
call protect_tenant_table('custom_sources', array['id'], by_organization => true);

-- The name of a custom source when the inventory last changed, so that a locked inventory keeps it. Null: a standard source.
alter table emission_sources add column name text;
-- The meter, account or asset, as printed on its bills.
alter table emission_sources add column label text;
