-- The rows of an uploaded list wait here until its people are added, a few thousand at a time
-- (docs/decisions/0320-imported-lists.md).
create table imported_list_rows (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  list_id bigint not null,
  row_number integer not null,
  organization_id bigint not null,
  email text not null,
  name text,
  first_name text,
  last_name text,
  consent_source text,
  consent_on date,
  primary key (customer_id, list_id, row_number),
  foreign key (customer_id, list_id) references imported_lists (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index imported_list_rows_organization on imported_list_rows (customer_id, organization_id);
call protect_tenant_table('imported_list_rows', array['list_id', 'row_number'], by_organization => true, audited => false);

-- "stopped": the job ended before the last row. The people until then are in the list.
alter table imported_lists add column state text not null default 'ready' check (state in ('importing', 'ready', 'stopped'));
alter table imported_lists add column job_id bigint;
create index imported_lists_job on imported_lists (customer_id, job_id) where job_id is not null;

create function stop_list_import() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.imported_lists set state = 'stopped'
  where customer_id = new.customer_id and job_id = new.id and state = 'importing';
  return null;
end
$$;
create trigger stop_list_import after update of state on jobs for each row
  when (new.kind = 'importedLists.add' and new.state in ('failed', 'canceled')) execute function stop_list_import();
