-- A restored installation sends, fetches and pushes nothing until an operator says that it is the real one
-- (docs/decisions/0199-restored-copies-are-quiet.md).

-- When a backup was restored here, or an operator declared a copy; null for the real installation.
alter table iam.installation add column restored_at timestamptz;

create function is_restored_copy() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from iam.installation where restored_at is not null)
$$;
revoke execute on function is_restored_copy() from public;
grant execute on function is_restored_copy() to forecourt_app, forecourt_iam, forecourt_jobs;

-- The queue sees which channels are sent: files that are downloaded from us are made in a copy, too.
create policy queue on channels to forecourt_jobs using (true);
grant select (customer_id, id, destination) on channels to forecourt_jobs;
