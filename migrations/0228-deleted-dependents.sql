-- What deletions took away besides the records themselves: rows that were deleted with them, and references that became null. Kept
-- while a deletion can be undone. Without a foreign key: the record is gone.
create table deleted_dependents (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  table_name text not null,
  row_id bigint not null,
  deleted_at timestamptz not null default app_now(),
  -- See Dependents in src/server/lists/dependents.ts.
  dependents jsonb not null,
  primary key (customer_id, table_name, row_id)
);
create index deleted_dependents_old on deleted_dependents (deleted_at);
call protect_tenant_table('deleted_dependents', array['table_name', 'row_id'], audited => false);
create policy queue on deleted_dependents to forecourt_jobs using (true);
grant select, delete on deleted_dependents to forecourt_jobs;

-- Figures of former leads count for their lot again after its deletion was undone.
grant update (lot_id) on past_leads to forecourt_app;
