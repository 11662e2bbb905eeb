create extension if not exists btree_gist;

-- A greenhouse gas inventory: one organization, one period, one boundary approach.
create table carbon_inventories (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  name text not null,
  period_start date not null,
  -- The last day of the period.
  period_end date not null,
  boundary text not null check (boundary in ('operational', 'financial', 'equity')),
  gwp_set text not null default 'AR6' check (gwp_set in ('AR4', 'AR5', 'AR6')),
  status text not null default 'draft'
    check (status in ('draft', 'collecting', 'in_review', 'approved', 'locked', 'restated')),
  -- The reason for this status. Who and when are in the audit log.
  status_reason text,
  -- Preferred factor datasets, in order. They can be the library's or the customer's, so there is no foreign key.
  datasets bigint[] not null default '{}',
  -- edition: a factor is valid for the year of its edition. latest: otherwise the newest earlier edition is used, and shown.
  year_rule text not null default 'edition' check (year_rule in ('edition', 'latest')),
  is_base_year boolean not null default false,
  -- In percent of the base year's total. A larger change requires a recalculation.
  recalculation_threshold numeric(7, 4) not null default 5 check (recalculation_threshold between 0 and 100),
  owner_id bigint,
  reviewer_id bigint,
  approver_id bigint,
  -- The owner may not approve it.
  four_eyes boolean not null default true,
  -- The inventory that this one restates. The restated one stays unchanged.
  restates_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, owner_id) references users (customer_id, id) on delete set null (owner_id),
  foreign key (customer_id, reviewer_id) references users (customer_id, id) on delete set null (reviewer_id),
  foreign key (customer_id, approver_id) references users (customer_id, id) on delete set null (approver_id),
  foreign key (customer_id, organization_id, restates_id) references carbon_inventories (customer_id, organization_id, id),
  constraint carbon_inventories_days check (period_end > period_start),
  constraint carbon_inventories_four_eyes check (not four_eyes or owner_id is distinct from approver_id or owner_id is null),
  constraint carbon_inventories_no_overlap exclude using gist (customer_id with =, organization_id with =, boundary with =,
    daterange(period_start, period_end, '[]') with &&) where (status <> 'restated')
);
create unique index carbon_inventories_base_year on carbon_inventories (customer_id, organization_id, boundary)
  where is_base_year and status <> 'restated';
create unique index carbon_inventories_restated_once on carbon_inventories (customer_id, restates_id);
create index carbon_inventories_period on carbon_inventories (customer_id, organization_id, period_start desc);
create trigger touch before update on carbon_inventories for each row execute function touch_row();
call protect_tenant_table('carbon_inventories', array['id'], by_organization => true);

-- Each foreign key has an index that begins with its columns; otherwise deleting an organization, a user, a user type or a
-- mapping reads the whole referencing table. test/api/database/foreign-key-indexes.test.ts enforces this.
create index carbon_inventories_owner on carbon_inventories (customer_id, owner_id) where owner_id is not null;
create index carbon_inventories_approver on carbon_inventories (customer_id, approver_id) where approver_id is not null;
create index carbon_inventories_reviewer on carbon_inventories (customer_id, reviewer_id) where reviewer_id is not null;

-- Approved, locked and restated inventories don't change. The inventory is locked for share while a row below it is written,
-- so that its status cannot change in between. Tables below an inventory use this before each write.
create function keep_inventory_frozen() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
declare
  former constant jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  present constant jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  found_status text;
begin
  -- A person who is deleted leaves every row that names them, in whatever inventory.
  if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
    return new;
  end if;
  for found_status in select status from public.carbon_inventories
    where customer_id = (coalesce(present, former) ->> 'customer_id')::bigint
      and id in ((former ->> 'inventory_id')::bigint, (present ->> 'inventory_id')::bigint) for share
  loop
    if found_status in ('approved', 'locked', 'restated') then
      raise exception 'Inventory % is %.', coalesce(present, former) ->> 'inventory_id', found_status
        using errcode = 'check_violation', constraint = 'carbon_inventory_frozen';
    end if;
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- Which of the 15 scope 3 categories are relevant, and why.
create table inventory_scope3 (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  category integer not null check (category between 1 and 15),
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  relevance text not null default 'not_assessed' check (relevance in ('relevant', 'not_relevant', 'not_assessed')),
  reason text,
  primary key (customer_id, inventory_id, category),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
create trigger frozen before insert or update or delete on inventory_scope3 for each row execute function keep_inventory_frozen();
call protect_tenant_table('inventory_scope3', array['inventory_id', 'category'], by_organization => true);

-- Denominators of emission intensities.
create table intensity_denominators (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  place integer not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  kind text not null check (kind in ('revenue', 'floor_area', 'staff', 'vehicles_sold', 'own')),
  -- Only with kind own.
  name text,
  amount numeric(28, 12) not null check (amount > 0),
  unit text not null,
  primary key (customer_id, inventory_id, place),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  constraint intensity_denominators_named check ((kind = 'own') = (name is not null))
);
create trigger frozen before insert or update or delete on intensity_denominators for each row execute function keep_inventory_frozen();
call protect_tenant_table('intensity_denominators', array['inventory_id', 'place'], by_organization => true);

-- Facilities with a decision; a facility without a row is undecided. Its share follows from ownership and control over time
-- and is not stored here.
create table inventory_facilities (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  inventory_id bigint not null,
  facility_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  excluded boolean not null default false,
  reason text,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, inventory_id, facility_id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, facility_id) references facilities (customer_id, organization_id, id),
  constraint inventory_facilities_reason check (not excluded or reason is not null)
);
create index inventory_facilities_facility on inventory_facilities (customer_id, organization_id, facility_id);
create trigger frozen before insert or update or delete on inventory_facilities for each row execute function keep_inventory_frozen();
create trigger touch before update on inventory_facilities for each row execute function touch_row();
call protect_tenant_table('inventory_facilities', array['inventory_id', 'facility_id'], by_organization => true);

-- What causes emissions at a facility, and who provides the data. A source that is no longer assigned is closed instead of
-- deleted, because records may refer to it.
create table emission_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  facility_id bigint not null,
  -- A source type of the catalog in the code.
  source_type text not null,
  -- The path of its factors in the library.
  activity text not null,
  scope text not null check (scope ~ '^(1|2|3\.([1-9]|1[0-5]))$'),
  -- The usual unit of its quantities.
  unit text not null,
  person_id bigint,
  due_on date,
  frequency text not null default 'month' check (frequency in ('month', 'quarter', 'year', 'once')),
  method text not null default 'calculated' check (method in ('calculated', 'own_factor', 'direct', 'estimate', 'meter')),
  -- Assigned by hand; null: selected by the rules. No foreign key, because it can be a library factor or a custom one.
  factor_id bigint,
  closed boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  unique (customer_id, inventory_id, facility_id, source_type),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, inventory_id, facility_id) references inventory_facilities (customer_id, inventory_id, facility_id)
    on delete cascade,
  foreign key (customer_id, person_id) references users (customer_id, id) on delete set null (person_id)
);
create index emission_sources_person on emission_sources (customer_id, person_id, due_on) where not closed;
create trigger frozen before insert or update or delete on emission_sources for each row execute function keep_inventory_frozen();
create trigger touch before update on emission_sources for each row execute function touch_row();
call protect_tenant_table('emission_sources', array['id'], by_organization => true);
create index emission_sources_of_person on emission_sources (customer_id, person_id) where person_id is not null;

-- Activity data. Records are append-only: a change is a new version, and the former one says when it was replaced.
create sequence activity_ids;
grant usage on sequence activity_ids to forecourt_app;

create table activity_records (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint not null default nextval('activity_ids'),
  version integer not null default 1,
  organization_id bigint not null,
  source_id bigint not null,
  kind text not null check (kind in ('calculated', 'own_factor', 'direct', 'estimate', 'meter')),
  quantity numeric(28, 12) check (quantity >= 0),
  unit text,
  calorific_basis text check (calorific_basis in ('gross', 'net')),
  period_start date not null,
  -- The last day of the period.
  period_end date not null,
  meter_from numeric(28, 12),
  meter_to numeric(28, 12),
  -- Assigned by hand; null: selected by the engine.
  factor_id bigint,
  quality integer check (quality between 1 and 5),
  estimate_method text check (estimate_method in ('same_month_last_year', 'average', 'floor_area', 'other')),
  -- Directly measured emissions: the gas, kg, and whether these are kg of gas or kg CO2e.
  direct jsonb check (jsonb_typeof(direct) = 'array'),
  price_year integer,
  -- For spend: the exchange rate to the factor's currency, and the price index of the factor's year relative to the bill's.
  money_rate numeric(28, 12) check (money_rate > 0),
  money_deflator numeric(28, 12) check (money_deflator > 0),
  -- The bill number.
  reference text,
  comment text,
  status text not null default 'draft' check (status in ('draft', 'submitted', 'approved', 'returned')),
  review_comment text,
  submitted_by bigint,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  created_by_id bigint default nullif(current_setting('app.effective_user_id', true), '')::bigint,
  -- Null: current. Otherwise replaced by the next version, by a bill that replaces an estimate, or deleted.
  replaced_at timestamptz,
  replaced_how text check (replaced_how in ('changed', 'deleted', 'billed')),
  primary key (customer_id, id, version),
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id),
  constraint activity_records_days check (period_end >= period_start),
  constraint activity_records_whole check (case when kind = 'direct' then direct is not null
    else quantity is not null and unit is not null end),
  constraint activity_records_meter check (kind <> 'meter' or (meter_from is not null and meter_to is not null
    and quantity = meter_to - meter_from)),
  check ((replaced_at is null) = (replaced_how is null))
);
create unique index activity_records_current on activity_records (customer_id, id) where replaced_at is null;
create index activity_records_source on activity_records (customer_id, source_id, period_start, id) where replaced_at is null;
create index activity_records_all on activity_records (customer_id, organization_id, source_id);
call protect_tenant_table('activity_records', array['id', 'version'], by_organization => true, operations => 'select, insert');
grant update (status, review_comment, submitted_by, replaced_at, replaced_how) on activity_records to forecourt_app;

-- Answers whether anything was entered for a source since a given time.
create index activity_records_entered on activity_records (customer_id, source_id, created_at) where replaced_at is null;

-- How electricity and heat were purchased: certificates, a supplier's rate, or the residual mix.
create table instruments (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  kind text not null check (kind in ('certificate', 'supplier_rate', 'residual_mix')),
  name text not null,
  -- For certificates: the quantity they cover.
  quantity numeric(28, 12) check (quantity > 0),
  unit text not null,
  kg_co2e numeric(28, 12) not null check (kg_co2e >= 0),
  -- The document that proves the figure or the certificates, for an auditor.
  source_note text not null,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  check ((kind = 'certificate') = (quantity is not null))
);
create index instruments_inventory on instruments (customer_id, organization_id, inventory_id);
create trigger frozen before insert or update or delete on instruments for each row execute function keep_inventory_frozen();
create trigger touch before update on instruments for each row execute function touch_row();
call protect_tenant_table('instruments', array['id'], by_organization => true);

create table instrument_allocations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  instrument_id bigint not null,
  source_id bigint not null,
  organization_id bigint not null,
  -- For certificates, in the unit of the instrument.
  quantity numeric(28, 12) check (quantity > 0),
  primary key (customer_id, instrument_id, source_id),
  foreign key (customer_id, organization_id, instrument_id) references instruments (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index instrument_allocations_source on instrument_allocations (customer_id, organization_id, source_id);
call protect_tenant_table('instrument_allocations', array['instrument_id', 'source_id'], by_organization => true);

-- A locked period accepts no records, however they arrive.
create function refuse_locked_period() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from changed c
    join public.emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
    join public.carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where i.status not in ('draft', 'collecting', 'in_review')) then
    raise exception 'The inventory is not open.' using errcode = 'check_violation', constraint = 'carbon_inventory_frozen';
  end if;
  return null;
end
$$;
create trigger locked_after_insert after insert on activity_records referencing new table as changed
  for each statement execute function refuse_locked_period();
create trigger locked_after_update after update on activity_records referencing new table as changed
  for each statement execute function refuse_locked_period();

-- Imported files of activity data, and the result of each line.
create table activity_imports (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  file_name text not null,
  -- Of a workbook.
  sheet text not null,
  -- The column titles.
  titles text[] not null,
  lines integer not null,
  saved integer not null,
  -- Lines whose bills already existed.
  known integer not null,
  refused integer not null,
  -- Records of the same transaction have the same time, which is how the records they replaced are found.
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  undone_at timestamptz,
  undone_by text,
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade
);
create index activity_imports_inventory on activity_imports (customer_id, organization_id, inventory_id, id desc);
create trigger frozen before insert or update or delete on activity_imports for each row execute function keep_inventory_frozen();
call protect_tenant_table('activity_imports', array['id'], by_organization => true, operations => 'select, insert');
grant update (undone_at, undone_by) on activity_imports to forecourt_app;

-- A line became a record or was rejected; rejected lines are kept with the reasons.
create table activity_import_lines (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  import_id bigint not null,
  line integer not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- No foreign key: records have versions.
  record_id bigint,
  cells text[],
  reasons text,
  primary key (customer_id, import_id, line),
  foreign key (customer_id, organization_id, import_id) references activity_imports (customer_id, organization_id, id)
    on delete cascade,
  check ((record_id is null) = (cells is not null and reasons is not null))
);
create index activity_import_lines_import on activity_import_lines (customer_id, organization_id, import_id);
create index activity_import_lines_record on activity_import_lines (customer_id, record_id);
call protect_tenant_table('activity_import_lines', array['import_id', 'line'], by_organization => true,
  operations => 'select, insert', audited => false);

create table activity_mappings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- Identifies the column titles, so that the next file with the same ones is mapped the same way.
  head text not null,
  mapping jsonb not null check (jsonb_typeof(mapping) = 'object'),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, organization_id, head),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
call protect_tenant_table('activity_mappings', array['organization_id', 'head'], by_organization => true);

-- Files that prove a record: the bill, a photo of the meter. The bytes are in the file store, in a folder that the file
-- manager cannot open. A removed file can be restored for a day.
create table evidence_files (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  source_id bigint not null,
  -- No foreign key: records have versions, and evidence belongs to all of them.
  record_id bigint not null,
  -- The original name; the stored name is `stored_as`.
  name text not null,
  stored_as uuid not null,
  -- By its first bytes.
  type text not null,
  size bigint not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  removed_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create unique index evidence_files_once on evidence_files (customer_id, record_id, sha256) where removed_at is null;
create index evidence_files_inventory on evidence_files (customer_id, organization_id, inventory_id);
create index evidence_files_source on evidence_files (customer_id, organization_id, source_id);
create trigger frozen before insert or update or delete on evidence_files for each row execute function keep_inventory_frozen();
call protect_tenant_table('evidence_files', array['id'], by_organization => true, operations => 'select, insert, delete');
grant update (removed_at) on evidence_files to forecourt_app;

-- Reported totals of years without activity data, by facility, source and period. They are imported and removed as a whole;
-- days with a record use the record instead.
create sequence imported_batches;
grant usage on sequence imported_batches to forecourt_app;

create table imported_totals (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  inventory_id bigint not null,
  source_id bigint not null,
  -- Rows imported together are undone together.
  batch_id bigint not null,
  period_start date not null,
  -- The last day of the period.
  period_end date not null,
  -- kg CO2e; location-based for scope 2.
  kg numeric(28, 12) not null check (kg >= 0),
  -- Market-based, for scope 2; null: the same.
  market_kg numeric(28, 12) check (market_kg >= 0),
  biogenic_kg numeric(28, 12) not null default 0 check (biogenic_kg >= 0),
  -- Where the figure was reported.
  note text,
  -- The import created the source, which is removed with it if nothing else uses it.
  has_assigned boolean not null default false,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  removed_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade,
  constraint imported_totals_days check (period_end >= period_start),
  constraint imported_totals_once exclude using gist (customer_id with =, source_id with =,
    daterange(period_start, period_end, '[]') with &&) where (removed_at is null)
);
create index imported_totals_inventory on imported_totals (customer_id, organization_id, inventory_id);
create index imported_totals_source on imported_totals (customer_id, organization_id, source_id);
create index imported_totals_batch on imported_totals (customer_id, batch_id);
create trigger frozen before insert or update or delete on imported_totals for each row execute function keep_inventory_frozen();
call protect_tenant_table('imported_totals', array['id'], by_organization => true, operations => 'select, insert');
grant update (removed_at) on imported_totals to forecourt_app;

-- Data requests: who was asked for the data of which sources, when and by whom. Each row is one email to one user; so is a
-- reminder. Whether a source was answered follows from its records.
create sequence data_request_ids;
grant usage on sequence data_request_ids to forecourt_app;

create table data_requests (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  -- Taken before the row exists, because the email's link contains it.
  id bigint not null default nextval('data_request_ids'),
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  kind text not null check (kind in ('request', 'reminder')),
  -- Idempotency key of the request, or the day of the schedule: a repeated request sends nothing.
  press text not null,
  person_id bigint,
  person_name text not null,
  message text,
  -- The schedule sends reminders around the due date.
  is_repeated boolean not null default true,
  mail_id bigint,
  asked_at timestamptz not null default app_now(),
  -- Null: the schedule.
  asked_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, person_id) references users (customer_id, id) on delete set null (person_id),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id)
);
create unique index data_requests_once on data_requests (customer_id, inventory_id, press, person_id);
create index data_requests_inventory on data_requests (customer_id, organization_id, inventory_id);
create index data_requests_person on data_requests (customer_id, person_id);
create index data_requests_mail on data_requests (customer_id, mail_id);
create trigger frozen before insert or update or delete on data_requests for each row execute function keep_inventory_frozen();
call protect_tenant_table('data_requests', array['id'], by_organization => true, operations => 'select, insert');

-- The queue's role finds inventories with reminders to send.
create policy queue on data_requests to forecourt_jobs using (true);
grant select (customer_id, organization_id, inventory_id, is_repeated, asked_at) on data_requests to forecourt_jobs;

create table data_request_cells (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  request_id bigint not null,
  source_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- As stated in the email.
  due_on date,
  primary key (customer_id, request_id, source_id),
  foreign key (customer_id, organization_id, request_id) references data_requests (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index data_request_cells_request on data_request_cells (customer_id, organization_id, request_id);
create index data_request_cells_source on data_request_cells (customer_id, organization_id, source_id);
call protect_tenant_table('data_request_cells', array['request_id', 'source_id'], by_organization => true,
  operations => 'select, insert', audited => false);
