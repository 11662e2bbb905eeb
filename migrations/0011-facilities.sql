-- What a sustainability report needs to know about an organization. A separate table because names are visible throughout a
-- customer, while addresses and contacts are not.
create table organization_profiles (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  legal_name text,
  -- The classification and its code, for example naics-441110.
  industry text,
  country text check (country ~ '^[A-Z]{2}$'),
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- The month in which the fiscal year begins.
  fiscal_year_start integer check (fiscal_year_start between 1 and 12),
  consolidation text check (consolidation in ('operational', 'financial', 'equity')),
  address text,
  city text,
  region text,
  postal_code text,
  contacts jsonb not null default '[]' check (jsonb_typeof(contacts) = 'array'),
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, organization_id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade
);
create trigger touch before update on organization_profiles for each row execute function touch_row();
call protect_tenant_table('organization_profiles', array['organization_id'], by_organization => true);

-- The depth of a level: a facility is always below the one that contains it. Meters may be in buildings.
create function facility_rank(level text) returns integer language sql immutable parallel safe as $$
  select array_position(array['group', 'entity', 'site', 'building', 'meter'], level)
$$;

-- Energy consumers, as a tree. A facility stores the level of its parent, which the foreign key keeps correct, and is strictly
-- below it, so no combination of moves can create a cycle.
create table facilities (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  level text not null check (level in ('group', 'entity', 'site', 'building', 'meter')),
  parent_id bigint,
  parent_level text,
  code text not null check (code = upper(code)),
  name text not null,
  type text check (type in ('showroom', 'workshop', 'paint_shop', 'office', 'storage_lot', 'car_wash', 'charging_hub', 'warehouse')),
  address text,
  city text,
  region text,
  postal_code text,
  country text check (country ~ '^[A-Z]{2}$'),
  -- The electricity grid: an eGRID subregion in the United States, where the country alone is not enough.
  grid_region text check (grid_region is null or country = 'US'),
  floor_area numeric(14, 2) check (floor_area >= 0),
  floor_unit text not null default 'ft2' check (floor_unit in ('ft2', 'm2')),
  staff integer check (staff >= 0),
  opened_on date,
  -- The last day it was in use.
  closed_on date,
  lease text check (lease in ('owned', 'finance_lease', 'operating_lease', 'leased_out')),
  lot_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  unique (customer_id, organization_id, id, level),
  unique (customer_id, organization_id, code),
  unique (customer_id, lot_id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, organization_id, parent_id, parent_level)
    references facilities (customer_id, organization_id, id, level) on update cascade,
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id),
  constraint facilities_below_parent check ((parent_id is null) = (parent_level is null)
    and (parent_level is null or facility_rank(parent_level) < facility_rank(level))),
  constraint facilities_days check (closed_on >= opened_on)
);
create index facilities_parent on facilities (customer_id, organization_id, parent_id);
create trigger touch before update on facilities for each row execute function touch_row();
call protect_tenant_table('facilities', array['id'], by_organization => true);

-- Who owns and controls a facility. A row is valid from its day until the day before the next row, so rows can neither overlap
-- nor leave a gap.
create table facility_control (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  facility_id bigint not null,
  valid_from date not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- In percent of the parent.
  ownership numeric(7, 4) not null check (ownership between 0 and 100),
  operational_control boolean not null,
  financial_control boolean not null,
  primary key (customer_id, facility_id, valid_from),
  foreign key (customer_id, organization_id, facility_id) references facilities (customer_id, organization_id, id)
    on delete cascade
);
call protect_tenant_table('facility_control', array['facility_id', 'valid_from'], by_organization => true);

-- There is no gap before the first row either: it begins when the facility opened, or earlier. Checked at the end of the
-- transaction, because a facility and its rows are written by two statements.
create function keep_control_whole() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  present constant jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  wanted_customer constant bigint := (present ->> 'customer_id')::bigint;
  wanted_facility constant bigint := coalesce(present ->> 'facility_id', present ->> 'id')::bigint;
begin
  if exists (select from public.facilities f where f.customer_id = wanted_customer and f.id = wanted_facility
    and not exists (select from public.facility_control c where c.customer_id = f.customer_id and c.facility_id = f.id
      and c.valid_from <= coalesce(f.opened_on, 'infinity'))) then
    raise exception 'Ownership and control of facility % are not known from its first day.', wanted_facility
      using errcode = 'check_violation', constraint = 'facility_control_whole';
  end if;
  return null;
end
$$;
create constraint trigger control_whole after insert or update on facilities deferrable initially deferred
  for each row execute function keep_control_whole();
create constraint trigger control_whole after update or delete on facility_control deferrable initially deferred
  for each row execute function keep_control_whole();

-- A lot that moves to another organization loses its link to the facility.
create function unlink_moved_lot() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.facilities set lot_id = null
  where customer_id = new.customer_id and lot_id = new.id and organization_id <> new.organization_id;
  return null;
end
$$;
create trigger unlink_facility after update of organization_id on lots for each row
  when (new.organization_id is distinct from old.organization_id) execute function unlink_moved_lot();
