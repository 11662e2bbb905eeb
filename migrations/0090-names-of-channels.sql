-- Standard names of channel runs, of who requested something and of the reasons why a vehicle isn't published, also in
-- everything stored. See docs/decisions/0122-standard-names-of-channels.md.

alter table channel_held rename to channel_exclusions;
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'channel_exclusions'::regclass and conname like 'channel\_held\_%' loop
    execute format('alter table channel_exclusions rename constraint %I to %I', name, replace(name, 'channel_held', 'channel_exclusions'));
  end loop;
end
$$;
alter table channel_runs rename column offered to listed;
alter table channel_runs rename column held to excluded;
alter table channel_runs rename column asked_by to requested_by;
alter table channel_runs rename column said to message;
alter table channel_states rename column sent_offered to sent_count;
alter table channel_states rename column asked_by to requested_by;
alter table feed_source_states rename column asked_by to requested_by;
alter table feed_deliveries rename column asked_by to requested_by;
alter table feed_deliveries rename column said to message;
alter table data_requests rename column asked_by to requested_by;
alter table data_requests rename column asked_at to requested_at;

update channel_runs set reasons = reasons - 'notLive' - 'twin'
    || case when reasons ? 'notLive' then jsonb_build_object('notForSale', reasons -> 'notLive') else '{}' end
    || case when reasons ? 'twin' then jsonb_build_object('duplicate', reasons -> 'twin') else '{}' end
  where reasons ?| '{notLive,twin}';
update channel_exclusions set reasons = array_replace(array_replace(reasons, 'notLive', 'notForSale'), 'twin', 'duplicate')
  where reasons && '{notLive,twin}';

-- Names of list fields, in rules, columns, widths and sorts. Text in quotes and comments stay as they are.
create function pg_temp.new_name(list text, name text) returns text language sql immutable as $$
  select case list || '.' || name when 'vehicles.notLive' then 'notPublishedReason' when 'channels.offered' then 'listed'
    when 'channels.held' then 'excluded' else name end
$$;
create function pg_temp.new_rule(list text, rule text) returns text language sql immutable as $$
  select coalesce(string_agg(case when p.part[1] ~ '^[A-Za-z_]' then pg_temp.new_name(list, p.part[1]) else p.part[1] end, '' order by p.place), '')
  from regexp_matches(rule,
    '"""(?:[^"\\]|\\.|"{1,2}(?!"))*"""|''''''(?:[^''\\]|\\.|''{1,2}(?!''))*''''''|"(?:[^"\\\n\r]|\\.)*"|''(?:[^''\\\n\r]|\\.)*''|//[^\n]*|[A-Za-z_0-9]+|.', 'g')
    with ordinality as p (part, place)
$$;
/** The state of a saved view, or the query of an export. */
create function pg_temp.new_query(list text, query jsonb) returns jsonb language sql immutable as $$
  select query
    || case when query ? 'filter' then jsonb_build_object('filter', pg_temp.new_rule(list, query ->> 'filter')) else '{}' end
    || case when query ? 'sort' then jsonb_build_object('sort', pg_temp.new_rule(list, query ->> 'sort')) else '{}' end
    || case when jsonb_typeof(query -> 'columns') is distinct from 'array' then '{}' else jsonb_build_object('columns',
      (select coalesce(jsonb_agg(to_jsonb(pg_temp.new_name(list, c.name)) order by c.place), '[]')
        from jsonb_array_elements_text(query -> 'columns') with ordinality as c (name, place))) end
    || case when jsonb_typeof(query -> 'widths') is distinct from 'object' then '{}' else jsonb_build_object('widths',
      (select coalesce(jsonb_object_agg(pg_temp.new_name(list, w.key), w.value), '{}') from jsonb_each(query -> 'widths') w)) end
$$;
-- These are no edits: versions, update times and the audit log stay as they are.
alter table list_views disable trigger user;
update list_views set state = pg_temp.new_query(list, state)
  where list = 'vehicles' and state::text like '%notLive%' or list = 'channels' and state::text ~ '\m(offered|held)\M';
alter table list_views enable trigger user;
alter table jobs disable trigger user;
update jobs set payload = pg_temp.new_query(payload ->> 'list', payload)
  where kind = 'reports.startExport' and (payload ->> 'list' = 'vehicles' and payload::text like '%notLive%'
    or payload ->> 'list' = 'channels' and payload::text ~ '\m(offered|held)\M');
alter table jobs enable trigger user;
alter table channels disable trigger user;
update channels set rule = pg_temp.new_rule('vehicles', rule) where rule like '%notLive%';
alter table channels enable trigger user;
drop function pg_temp.new_query(text, jsonb);
drop function pg_temp.new_rule(text, text);
drop function pg_temp.new_name(text, text);

-- The audit log shows columns by name.
create function pg_temp.new_image(image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(case e.key when 'asked_by' then 'requested_by' when 'asked_at' then 'requested_at' else e.key end, e.value)
  from jsonb_each(image) e
$$;
update audit_log set before = pg_temp.new_image(before), after = pg_temp.new_image(after)
  where table_name = 'data_requests' and (before ? 'asked_by' or after ? 'asked_by');
drop function pg_temp.new_image(jsonb);
