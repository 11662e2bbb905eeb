-- An archived organization keeps its data, but no one works in it and buyers see nothing of it.
alter table organizations add column archived_at timestamptz, add column archived_by text,
  add constraint organizations_archived check ((archived_at is null) = (archived_by is null));

-- Beside the lots, so that statements about buyers need no organizations.
alter table lots add column is_archived boolean not null default false,
  add column is_visible boolean not null generated always as (is_public and not is_archived) stored;

drop trigger channels_update on lots;
create trigger channels_update after update on lots for each row
  when (old.is_visible and not new.is_visible) execute function run_channels_without_lots();

-- Nothing is sent for them. Across customers, for background work.
create function archived_organizations() returns bigint[]
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(id), '{}') from organizations where archived_at is not null
$$;
revoke execute on function archived_organizations() from public;
grant execute on function archived_organizations() to forecourt_jobs;
