-- Standard names of feeds: deliveries, automatic runs, row fingerprints and skip rules, also in everything stored.
-- See docs/decisions/0120-standard-names-of-feeds.md.

alter table feed_arrivals rename to feed_deliveries;
alter index feed_arrivals_latest rename to feed_deliveries_latest;
alter index feed_arrivals_mail rename to feed_deliveries_mail;
alter sequence feed_arrivals_id_seq rename to feed_deliveries_id_seq;
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'feed_deliveries'::regclass and conname like 'feed\_arrivals\_%' loop
    execute format('alter table feed_deliveries rename constraint %I to %I', name, replace(name, 'feed_arrivals', 'feed_deliveries'));
  end loop;
end
$$;
alter table feed_deliveries drop constraint feed_deliveries_state_check;
update feed_deliveries set state = 'received' where state = 'brought';
alter table feed_deliveries add constraint feed_deliveries_state_check check (state in ('running', 'received', 'unchanged', 'failed'));

alter table feed_sources drop constraint feed_sources_applies_check;
alter table feed_sources disable trigger user;
update feed_sources set applies = 'automatic' where applies = 'byItself';
alter table feed_sources enable trigger user;
alter table feed_sources add constraint feed_sources_applies_check check (applies in ('ask', 'automatic'));

alter table feed_runs rename column comes_itself to is_automatic;
alter table feed_runs rename column applies_itself to auto_apply;
create or replace function stop_feed_run() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.feed_source_states s set last_problem = coalesce(new.error, 'Reading the file was canceled.')
  from public.feed_runs r
  where r.customer_id = new.customer_id and r.job_id = new.id and r.status = 'reading' and new.state = 'failed'
    and r.is_automatic and s.customer_id = r.customer_id and s.source_id = r.source_id;
  update public.feed_runs set
    status = case when status = 'reading' then new.state else 'applied' end,
    error = case when status = 'reading' then new.error
      when status = 'applying' then coalesce(new.error, 'It was canceled before its end.')
      else coalesce(new.error, 'Undoing it was canceled before its end.') end
  where customer_id = new.customer_id and job_id = new.id and status in ('reading', 'applying', 'undoing');
  return null;
end
$$;

-- A hash, but not named one: the audit log masks columns that end in _hash, and restoring a deleted vehicle reads it there.
alter table vehicles rename column row_print to row_fingerprint;
create or replace function touch_vehicle() returns trigger language plpgsql as $$
declare
  seen vehicles := new;
begin
  -- Generated columns are not made yet in `new`, and follow from the others.
  seen.stock_key := old.stock_key;
  seen.name_key := old.name_key;
  seen.waits_since := old.waits_since;
  seen.photo_count := old.photo_count;
  seen.completeness := old.completeness;
  seen.publishable := old.publishable;
  seen.row_fingerprint := old.row_fingerprint;
  seen.feed_source_id := old.feed_source_id;
  seen.missing_runs := old.missing_runs;
  seen.removed_from := old.removed_from;
  if seen is distinct from old then
    new.version := old.version + 1;
    new.updated_at := public.app_now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;
alter table feed_run_rows rename column print to fingerprint;
update feed_run_rows set was = was - 'print' || jsonb_build_object('rowFingerprint', was -> 'print') where was ? 'print';

-- These are no edits: versions, update times and the audit log stay as they are.
alter table feed_runs disable trigger user;
update feed_runs set mapping = mapping - 'leaveOut' || jsonb_build_object('skipRule', mapping -> 'leaveOut') where mapping ? 'leaveOut';
alter table feed_runs enable trigger user;
alter table provider_mappings disable trigger user;
update provider_mappings set mapping = mapping - 'leaveOut' || jsonb_build_object('skipRule', mapping -> 'leaveOut')
  where mapping ? 'leaveOut';
alter table provider_mappings enable trigger user;
update provider_mapping_versions set mapping = mapping - 'leaveOut' || jsonb_build_object('skipRule', mapping -> 'leaveOut')
  where mapping ? 'leaveOut';

-- The audit log shows columns by name, and restoring a deleted vehicle reads them by name.
create function pg_temp.new_image(image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(case e.key when 'row_print' then 'row_fingerprint' when 'comes_itself' then 'is_automatic'
    when 'applies_itself' then 'auto_apply' else e.key end, e.value) from jsonb_each(image) e
$$;
update audit_log set before = pg_temp.new_image(before), after = pg_temp.new_image(after)
  where table_name = 'vehicles' and (before ? 'row_print' or after ? 'row_print')
    or table_name = 'feed_runs' and (before ? 'comes_itself' or after ? 'comes_itself');
drop function pg_temp.new_image(jsonb);
