-- Files of activity that were brought in, what became of each of their lines, and how the columns of such a file were
-- matched, so that the next one like it is matched the same way.
create table activity_imports (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  file_name text not null,
  -- Of a workbook.
  sheet text not null,
  -- What stands above the columns.
  titles text[] not null,
  lines integer not null,
  saved integer not null,
  -- Lines whose bills were there already.
  known integer not null,
  refused integer not null,
  -- Records take the moment of their transaction too: what it replaced is found by it.
  created_at timestamptz not null default now(),
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

-- A line is a record now, or was refused: then it is kept as it was, with the reasons.
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
  -- Names what stands above the columns.
  head text not null,
  mapping jsonb not null check (jsonb_typeof(mapping) = 'object'),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, organization_id, head),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
call protect_tenant_table('activity_mappings', array['organization_id', 'head'], by_organization => true);
