-- Units, global warming potentials and emission factors. Published values are the same for all customers and are in a schema
-- that requests only read. Custom values are in tenant tables with the same shape.
create schema library;

grant usage on schema library to forecourt_app;

-- Which edition of each file in data/carbon is loaded, by hash.
create table library.loaded_files (
  name text primary key,
  mark text not null,
  loaded_at timestamptz not null default app_now()
);

create table library.units (
  code text primary key,
  name text not null,
  dimension text not null,
  -- How many base units of the dimension one unit is. Currencies have no factor: each is its own base.
  base text not null,
  to_base numeric not null check (to_base > 0),
  definition text
);

create table library.unit_aliases (
  alias text primary key,
  unit text not null references library.units (code),
  calorific_basis text check (calorific_basis in ('gross', 'net'))
);

create table library.fuel_properties (
  fuel text not null,
  name text not null,
  year integer not null,
  net_gj_per_tonne numeric not null check (net_gj_per_tonne > 0),
  gross_gj_per_tonne numeric not null check (gross_gj_per_tonne >= net_gj_per_tonne),
  -- Null: solid fuels are not sold by volume.
  kg_per_m3 numeric check (kg_per_m3 > 0),
  dataset text not null,
  source_table text not null,
  source_rows text not null,
  primary key (fuel, year)
);

create table library.gwp_values (
  gas text not null,
  gwp_set text not null check (gwp_set in ('AR4', 'AR5', 'AR6')),
  gwp numeric not null check (gwp >= 0),
  -- One of the seven Kyoto gases; other gases are reported outside the scopes.
  is_kyoto boolean not null,
  source text not null,
  -- For cases in which two publishers print different values of the same report.
  other_gwp numeric,
  other_source text,
  note text,
  primary key (gas, gwp_set)
);

create table library.refrigerant_components (
  blend text not null,
  component text not null,
  mass_percent numeric not null check (mass_percent > 0 and mass_percent <= 100),
  printed_ar5 numeric,
  source_table text not null,
  source_rows text not null,
  primary key (blend, component)
);

-- IDs are unique across library and custom rows, because a result refers to a factor by ID alone.
create sequence library.dataset_ids;

create sequence library.factor_ids;
grant usage on sequence library.dataset_ids, library.factor_ids to forecourt_app;

create table library.factor_datasets (
  id bigint primary key default nextval('library.dataset_ids'),
  key text not null unique,
  publisher text not null,
  title text not null,
  edition text not null,
  year integer not null,
  region text not null,
  -- The IPCC report whose GWPs its figures already include; null: its figures are kg of gas.
  gwp_set text check (gwp_set in ('AR4', 'AR5', 'AR6')),
  licence text not null,
  attribution text not null,
  url text
);

create table library.emission_factors (
  id bigint primary key default nextval('library.factor_ids'),
  dataset_id bigint not null references library.factor_datasets (id),
  -- The same in every edition of the file. A corrected figure is a new row, and the former row names it.
  key text not null,
  mark text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  category text not null,
  activity text not null,
  name text not null,
  region text not null,
  unit text not null references library.units (code),
  calorific_basis text check (calorific_basis in ('gross', 'net')),
  boundary text not null,
  use text not null check (use in ('inventory', 'avoided')),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  price_year integer,
  source_table text not null,
  source_rows text not null,
  note text,
  superseded_by bigint references library.emission_factors (id) deferrable initially deferred
);
create unique index emission_factors_current on library.emission_factors (key) where superseded_by is null;
create index emission_factors_activity on library.emission_factors (activity, region, valid_from);
create index emission_factors_superseded on library.emission_factors (superseded_by) where superseded_by is not null;

create table library.emission_factor_gases (
  factor_id bigint not null references library.emission_factors (id),
  place integer not null,
  gas text not null,
  is_biogenic boolean not null default false,
  -- gas: kg of it, multiplied by the inventory's GWP. co2e: already multiplied by the publisher.
  basis text not null check (basis in ('gas', 'co2e')),
  kg numeric not null,
  primary key (factor_id, place),
  unique (factor_id, gas, is_biogenic),
  check (gas <> 'CO2e' or basis = 'co2e')
);

grant select on all tables in schema library to forecourt_app;
revoke select on library.loaded_files from forecourt_app;

-- Editions imported by a customer, and the dataset of its custom factors.
create table factor_datasets (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint not null default nextval('library.dataset_ids'),
  publisher text not null,
  title text not null,
  edition text not null,
  year integer not null,
  region text not null,
  gwp_set text check (gwp_set in ('AR4', 'AR5', 'AR6')),
  licence text not null,
  attribution text not null,
  url text,
  file_name text,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, publisher, title, edition)
);
call protect_tenant_table('factor_datasets', array['id'], operations => 'select, insert, delete');

-- Rows never change: a correction is a new row, and the former row names it. Without an organization, a factor is available to
-- the whole customer.
create table emission_factors (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint not null default nextval('library.factor_ids'),
  organization_id bigint,
  -- Null: entered by hand, with a note on its source.
  dataset_id bigint,
  source_note text,
  scopes text[] not null check (cardinality(scopes) > 0),
  category text not null,
  activity text not null,
  name text not null,
  region text not null,
  unit text not null,
  calorific_basis text check (calorific_basis in ('gross', 'net')),
  boundary text not null,
  use text not null default 'inventory' check (use in ('inventory', 'avoided')),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  price_year integer,
  source_table text,
  source_rows text,
  note text,
  superseded_by bigint,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, dataset_id) references factor_datasets (customer_id, id) on delete cascade,
  foreign key (customer_id, superseded_by) references emission_factors (customer_id, id)
    on delete set null (superseded_by) deferrable initially deferred,
  check (dataset_id is not null or source_note is not null)
);
create index emission_factors_activity on emission_factors (customer_id, activity, region, valid_from);
create index emission_factors_dataset on emission_factors (customer_id, dataset_id) where dataset_id is not null;
create index emission_factors_superseded on emission_factors (customer_id, superseded_by) where superseded_by is not null;

-- All users of the customer read customer-wide factors; users write those of their own organization.
call protect_tenant_table('emission_factors', array['id'], operations => 'select, insert, delete', narrowed_by => $rule$
  organization_id is null or organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or (select current_setting('app.reach', true)) = 'customer'
$rule$);
grant update (superseded_by) on emission_factors to forecourt_app;
create policy adds_for_own on emission_factors as restrictive for insert to forecourt_app with check (
  customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
  and (organization_id is not null or (select current_setting('app.reach', true)) = 'customer'));
create policy supersedes_own on emission_factors as restrictive for update to forecourt_app using (
  customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
  and (organization_id is not null or (select current_setting('app.reach', true)) = 'customer'));
create policy removes_own on emission_factors as restrictive for delete to forecourt_app using (
  customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
  and (organization_id is not null or (select current_setting('app.reach', true)) = 'customer'));
create index emission_factors_organization on emission_factors (customer_id, organization_id) where organization_id is not null;

create table emission_factor_gases (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  factor_id bigint not null,
  place integer not null,
  gas text not null,
  is_biogenic boolean not null default false,
  basis text not null check (basis in ('gas', 'co2e')),
  kg numeric not null,
  primary key (customer_id, factor_id, place),
  unique (customer_id, factor_id, gas, is_biogenic),
  foreign key (customer_id, factor_id) references emission_factors (customer_id, id) on delete cascade,
  check (gas <> 'CO2e' or basis = 'co2e')
);
call protect_tenant_table('emission_factor_gases', array['factor_id', 'place'], operations => 'select, insert, delete', audited => false,
  narrowed_by => $rule$exists (select from emission_factors f where f.customer_id = emission_factor_gases.customer_id and f.id = factor_id)$rule$);

-- All factors available to a user, with the user's own permissions.
create view library.factors with (security_invoker = true) as
  select f.id, null::bigint as customer_id, null::bigint as organization_id, f.dataset_id, d.publisher, d.title as dataset,
    d.edition, d.year, d.licence, d.attribution, d.url, d.gwp_set, f.scopes, f.category, f.activity, f.name, f.region, f.unit,
    f.calorific_basis, f.boundary, f.use, f.valid_from, f.valid_to, f.price_year, f.source_table, f.source_rows, f.note,
    null::text as source_note, f.superseded_by, null::timestamptz as created_at, null::text as created_by
  from library.emission_factors f join library.factor_datasets d on d.id = f.dataset_id
  union all
  select f.id, f.customer_id, f.organization_id, f.dataset_id, coalesce(d.publisher, 'Own factor'), coalesce(d.title, 'Own factors'),
    coalesce(d.edition, to_char(f.created_at, 'YYYY-MM-DD')), coalesce(d.year, extract(year from f.valid_from)::integer),
    coalesce(d.licence, 'Own'), coalesce(d.attribution, f.source_note), d.url, d.gwp_set, f.scopes, f.category, f.activity, f.name,
    f.region, f.unit, f.calorific_basis, f.boundary, f.use, f.valid_from, f.valid_to, f.price_year, f.source_table,
    f.source_rows, f.note, f.source_note, f.superseded_by, f.created_at, f.created_by
  from public.emission_factors f left join public.factor_datasets d on d.customer_id = f.customer_id and d.id = f.dataset_id;

create view library.factor_gases with (security_invoker = true) as
  select null::bigint as customer_id, factor_id, place, gas, is_biogenic, basis, kg from library.emission_factor_gases
  union all
  select customer_id, factor_id, place, gas, is_biogenic, basis, kg from public.emission_factor_gases;
grant select on library.factors, library.factor_gases to forecourt_app;
