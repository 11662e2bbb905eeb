-- Files that prove what a record says: the bill, a picture of the meter. The bytes lie in the store of files, in a folder
-- that no path of the file manager can name. What is removed can be brought back for a day.
create table evidence_files (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  source_id bigint not null,
  -- No foreign key: records have versions, and evidence belongs to all of them.
  record_id bigint not null,
  -- As the person called it; in the store it lies under `stored_as`.
  name text not null,
  stored_as uuid not null,
  -- By its first bytes.
  type text not null,
  size bigint not null check (size > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
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
