-- Standard names of states, also in everything stored: jobs and feed runs are canceled, a feed run is in review for its
-- review reasons, and a feed row is not undone. See docs/decisions/0121-standard-names-of-states.md.

-- Conditions of triggers keep the former values.
drop trigger note on jobs;
drop trigger stop_feed_run on jobs;
drop trigger forget_feed_partners on feed_runs;

alter table jobs drop constraint jobs_state_check;
alter table jobs disable trigger user;
update jobs set state = 'canceled' where state = 'cancelled';
alter table jobs enable trigger user;
alter table jobs add constraint jobs_state_check check (state in ('waiting', 'running', 'done', 'failed', 'canceled'));
create trigger note after update of state on jobs for each row
  when (new.state in ('done', 'failed', 'canceled') and old.state is distinct from new.state) execute function note_job();

alter table feed_runs rename column held to review_reasons;
alter table feed_runs rename column kept_count to not_undone_count;
alter table feed_runs drop constraint feed_runs_status_check;
alter table feed_runs disable trigger user;
update feed_runs set status = case status when 'held' then 'review' when 'cancelled' then 'canceled' else status end,
    error = replace(error, 'cancelled', 'canceled')
  where status in ('held', 'cancelled') or error in ('It was cancelled before its end.', 'Undoing it was cancelled before its end.');
alter table feed_runs enable trigger user;
alter table feed_runs add constraint feed_runs_status_check check (status in
  ('waiting', 'reading', 'ready', 'review', 'applying', 'applied', 'canceled', 'failed', 'undoing', 'undone'));
create trigger forget_feed_partners after update of status on feed_runs for each row
  when (old.status = 'reading' and new.status in ('failed', 'canceled')) execute function forget_feed_partners();
create trigger stop_feed_run after update of state on jobs for each row
  when (new.state in ('failed', 'canceled') and old.state is distinct from new.state and new.kind like 'feedRuns.%')
  execute function stop_feed_run();

update feed_source_states set last_problem = 'Reading the file was canceled.' where last_problem = 'Reading the file was cancelled.';

alter table feed_run_rows drop constraint feed_run_rows_state_check;
update feed_run_rows set state = 'notUndone' where state = 'kept';
alter table feed_run_rows add constraint feed_run_rows_state_check check (state in ('staged', 'applied', 'skipped', 'undone', 'notUndone'));

-- Rules of saved views, and of exports that are queued or can be repeated. Only values that are compared with the field change.
create function pg_temp.new_rule(rule text, field text) returns text language sql immutable as $$
  with parts as (
    select p.part[1] as part, p.place from regexp_matches(rule,
      '"(?:[^"\\\n\r]|\\.)*"|''(?:[^''\\\n\r]|\\.)*''|//[^\n]*|[A-Za-z_0-9]+|.', 'g') with ordinality as p (part, place)
  )
  select coalesce(string_agg(case
    when p.part ~ '^["''](held|cancelled)["'']$'
      and (select n.part from parts n where n.place < p.place and n.part ~ '^[A-Za-z_]' and n.part <> 'in' order by n.place desc limit 1) = field
    then replace(replace(p.part, 'held', 'review'), 'cancelled', 'canceled') else p.part end, '' order by p.place), '')
  from parts p
$$;
alter table list_views disable trigger user;
update list_views set state = state || jsonb_build_object('filter',
    pg_temp.new_rule(state ->> 'filter', case list when 'jobs' then 'state' else 'status' end))
  where list in ('jobs', 'feedRuns') and state ->> 'filter' ~ '(held|cancelled)';
alter table list_views enable trigger user;
alter table jobs disable trigger user;
update jobs set payload = payload || jsonb_build_object('filter', pg_temp.new_rule(payload ->> 'filter', 'status'))
  where kind = 'reports.startExport' and payload ->> 'list' = 'feedRuns' and payload ->> 'filter' ~ '(held|cancelled)';
alter table jobs enable trigger user;
drop function pg_temp.new_rule(text, text);

-- The audit log shows columns by name.
create function pg_temp.new_image(image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(case e.key when 'held' then 'review_reasons' when 'kept_count' then 'not_undone_count' else e.key end,
    case when e.key = 'status' and e.value = '"held"' then '"review"' when e.key = 'status' and e.value = '"cancelled"' then '"canceled"'
      else e.value end) from jsonb_each(image) e
$$;
update audit_log set before = pg_temp.new_image(before), after = pg_temp.new_image(after) where table_name = 'feed_runs';
update audit_log set after = after || '{"state": "canceled"}' where table_name = 'jobs' and after ->> 'state' = 'cancelled';
drop function pg_temp.new_image(jsonb);
