-- What was approved is stored as it was, byte for byte, and can be neither changed nor deleted: not by the product, and not by
-- the owner of the database without dropping a trigger.

-- For rows that are only ever added.
create function refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'Rows of % are never changed or deleted.', tg_table_name
    using errcode = 'check_violation', constraint = 'never_changed';
end
$$;

-- The file of an approval: ledger, factors, boundary, records and names, as JSON. It is stored in parts because it may be large;
-- the file is the parts in their order, and the hash is that of the whole file.
create sequence inventory_approval_ids;
grant usage on sequence inventory_approval_ids to forecourt_app;

create table inventory_approvals (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  -- Taken before the row exists, because its parts come first.
  id bigint not null default nextval('inventory_approval_ids'),
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  -- The status change that it belongs to.
  event_id bigint not null,
  -- The name of the inventory then.
  name text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- In bytes.
  size bigint not null check (size > 0),
  parts integer not null check (parts > 0),
  -- Lines of the ledger.
  lines integer not null check (lines >= 0),
  made_by text default nullif(current_setting('app.actor_name', true), ''),
  made_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  -- Without a cascade: an inventory that was once approved can't be deleted.
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id),
  foreign key (customer_id, event_id) references inventory_status_events (customer_id, id)
);
create index inventory_approvals_inventory on inventory_approvals (customer_id, organization_id, inventory_id, id);
create unique index inventory_approvals_event on inventory_approvals (customer_id, event_id);
create trigger never_changed before update or delete on inventory_approvals for each row execute function refuse_change();
create trigger never_emptied before truncate on inventory_approvals for each statement execute function refuse_change();
call protect_tenant_table('inventory_approvals', array['id'], by_organization => true, operations => 'select, insert',
  audited => false);

create table inventory_approval_parts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  approval_id bigint not null,
  number integer not null check (number > 0),
  organization_id bigint not null,
  content text not null,
  primary key (customer_id, approval_id, number),
  -- The hash is known after the last part, so the approval is added after its parts.
  foreign key (customer_id, organization_id, approval_id) references inventory_approvals (customer_id, organization_id, id)
    deferrable initially deferred
);
create index inventory_approval_parts_approval on inventory_approval_parts (customer_id, organization_id, approval_id);
create trigger never_changed before update or delete on inventory_approval_parts for each row execute function refuse_change();
create trigger never_emptied before truncate on inventory_approval_parts for each statement execute function refuse_change();
call protect_tenant_table('inventory_approval_parts', array['approval_id', 'number'], by_organization => true,
  operations => 'select, insert', audited => false);

create trigger never_changed before update on inventory_status_events for each row execute function refuse_change();

-- An inventory that was once approved stays, with its history, also without the file of an approval.
create function keep_approved_inventory() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from public.inventory_status_events e where e.customer_id = old.customer_id and e.inventory_id = old.id
    and e.status in ('approved', 'locked')) then
    raise exception 'Inventory % was approved.', old.id
      using errcode = 'foreign_key_violation', constraint = 'inventory_once_approved';
  end if;
  return old;
end
$$;
create trigger once_approved before delete on carbon_inventories for each row execute function keep_approved_inventory();

-- Evidence that was there at an approval stays, although it may have been removed from its record since.
create function is_approved_evidence(file evidence_files) returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from public.inventory_status_events e where e.customer_id = file.customer_id
    and e.organization_id = file.organization_id and e.inventory_id = file.inventory_id and e.status = 'approved'
    and e.former_status = 'in_review' and e.created_at >= file.created_at
    and (file.removed_at is null or e.created_at <= file.removed_at))
$$;
create function keep_approved_evidence() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  if public.is_approved_evidence(old) then
    raise exception 'Evidence % was part of an approval.', old.id
      using errcode = 'foreign_key_violation', constraint = 'evidence_once_approved';
  end if;
  return old;
end
$$;
create trigger once_approved before delete on evidence_files for each row execute function keep_approved_evidence();
