-- American spelling of the vehicle fields for colors: columns, and field names in everything stored. The same names, former
-- and new, as in docs/decisions/0104-standard-names-in-stored-data.md.

alter table vehicles rename column colour to color;
alter table vehicles rename column generic_colour to generic_color;
alter table vehicles rename column interior_colour to interior_color;

-- Helpers of this migration, dropped at its end.

create function pg_temp.new_name(name text) returns text language sql immutable as $$
  select case name when 'colour' then 'color' when 'genericColour' then 'genericColor' when 'interiorColour' then 'interiorColor'
    when 'generic_colour' then 'generic_color' when 'interior_colour' then 'interior_color' else name end
$$;

/** The list with new names, in the same order. */
create function pg_temp.new_names(names text[]) returns text[] language sql immutable as $$
  select coalesce(array_agg(pg_temp.new_name(n.name) order by n.place), '{}') from unnest(names) with ordinality as n (name, place)
$$;
create function pg_temp.new_names(names jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case jsonb_typeof(n.name) when 'string' then to_jsonb(pg_temp.new_name(n.name #>> '{}')) else n.name end
    order by n.place), '[]')
  from jsonb_array_elements(names) with ordinality as n (name, place)
$$;

/** The object with new keys. */
create function pg_temp.new_keys(image jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(pg_temp.new_name(e.key), e.value), '{}') from jsonb_each(image) e
$$;

/** Objects with a part `field`, with its new name. */
create function pg_temp.new_fields(items jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case when i.item ? 'field'
    then i.item || jsonb_build_object('field', pg_temp.new_name(i.item ->> 'field')) else i.item end order by i.place), '[]')
  from jsonb_array_elements(items) with ordinality as i (item, place)
$$;

/** Stamps of `vehicles.provenance` with new names in their `fields`. */
create function pg_temp.new_stamps(stamps jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_agg(case when jsonb_typeof(s.stamp -> 'fields') = 'array'
    then s.stamp || jsonb_build_object('fields', pg_temp.new_names(s.stamp -> 'fields')) else s.stamp end order by s.place), '[]')
  from jsonb_array_elements(stamps) with ordinality as s (stamp, place)
$$;

/** A stored image of a vehicle with new names in its keys, locks and stamps. */
create function pg_temp.new_image(image jsonb) returns jsonb language sql immutable as $$
  select i || case when jsonb_typeof(i -> 'locked') = 'array' then jsonb_build_object('locked', pg_temp.new_names(i -> 'locked')) else '{}' end
    || case when jsonb_typeof(i -> 'provenance') = 'array' then jsonb_build_object('provenance', pg_temp.new_stamps(i -> 'provenance')) else '{}' end
  from pg_temp.new_keys(image) i
$$;

/**
 * A rule with new names of fields. Text in quotes and comments stay as they are. In the lists of data mappings the name of a
 * field is a value, so there only a text that is exactly such a name changes.
 */
create function pg_temp.new_rule(rule text, in_texts boolean) returns text language sql immutable as $$
  select coalesce(string_agg(case
    when in_texts and p.part[1] ~ '^(".*"|''.*'')$'
      then left(p.part[1], 1) || pg_temp.new_name(substr(p.part[1], 2, length(p.part[1]) - 2)) || right(p.part[1], 1)
    when in_texts or p.part[1] ~ '^["'']' or p.part[1] like '//%' then p.part[1]
    else pg_temp.new_name(p.part[1]) end, '' order by p.place), '')
  from regexp_matches(rule,
    '"""(?:[^"\\]|\\.|"{1,2}(?!"))*"""|''''''(?:[^''\\]|\\.|''{1,2}(?!''))*''''''|"(?:[^"\\\n\r]|\\.)*"|''(?:[^''\\\n\r]|\\.)*''|//[^\n]*|[A-Za-z_0-9]+|.', 'g')
    with ordinality as p (part, place)
$$;

/** The state of a saved view, or the query of an export, of a list. */
create function pg_temp.new_query(list text, query jsonb) returns jsonb language sql immutable as $$
  select query
    || case when query ? 'filter' then jsonb_build_object('filter', pg_temp.new_rule(query ->> 'filter', list <> 'vehicles')) else '{}' end
    || case when list <> 'vehicles' or not query ? 'sort' then '{}'
      else jsonb_build_object('sort', regexp_replace(query ->> 'sort', '\mcolour\M', 'color', 'g')) end
    || case when list <> 'vehicles' or jsonb_typeof(query -> 'columns') is distinct from 'array' then '{}'
      else jsonb_build_object('columns', pg_temp.new_names(query -> 'columns')) end
    || case when list <> 'vehicles' or jsonb_typeof(query -> 'widths') is distinct from 'object' then '{}'
      else jsonb_build_object('widths', pg_temp.new_keys(query -> 'widths')) end
$$;

-- These are no edits: versions, update times and the audit log stay as they are.
alter table vehicles disable trigger user;
update vehicles set locked = pg_temp.new_names(locked), provenance = pg_temp.new_stamps(provenance)
  where locked && '{colour,genericColour,interiorColour}' or provenance::text like '%olour"%';
alter table vehicles enable trigger user;

-- Reads of the audit log find a vehicle's columns by name: its timeline, and restoring a deleted vehicle.
update audit_log set before = pg_temp.new_image(before), after = pg_temp.new_image(after)
  where table_name = 'vehicles' and (before::text like '%olour"%' or after::text like '%olour"%');

alter table feed_runs disable trigger user;
update feed_runs set unmapped = pg_temp.new_fields(unmapped),
    mapping = case when mapping ? 'fields' then mapping || jsonb_build_object('fields', pg_temp.new_keys(mapping -> 'fields')) else mapping end
  where unmapped::text like '%olour"%' or mapping::text like '%olour"%';
alter table feed_runs enable trigger user;

update feed_run_rows set after = pg_temp.new_keys(after), before = pg_temp.new_keys(before), from_vin = pg_temp.new_names(from_vin),
    locked = pg_temp.new_names(locked),
    was = case when jsonb_typeof(was -> 'stamps') = 'array'
      then was || jsonb_build_object('stamps', pg_temp.new_stamps(was -> 'stamps')) else was end
  where after::text like '%olour"%' or before::text like '%olour"%' or was::text like '%olour"%'
    or from_vin && '{colour,genericColour,interiorColour}' or locked && '{colour,genericColour,interiorColour}';

alter table provider_mappings disable trigger user;
update provider_mappings set mapping = mapping || jsonb_build_object('fields', pg_temp.new_keys(mapping -> 'fields'))
  where (mapping -> 'fields') ?| '{colour,genericColour,interiorColour}';
alter table provider_mappings enable trigger user;
update provider_mapping_versions set mapping = mapping || jsonb_build_object('fields', pg_temp.new_keys(mapping -> 'fields'))
  where (mapping -> 'fields') ?| '{colour,genericColour,interiorColour}';

alter table value_mappings drop constraint value_mappings_field_check;
alter table value_mappings disable trigger user;
update value_mappings set field = 'genericColor' where field = 'genericColour';
alter table value_mappings enable trigger user;
alter table value_mappings add constraint value_mappings_field_check check (field in
  ('condition', 'make', 'model', 'body', 'genericColor', 'fuel', 'electrification', 'transmission', 'drivetrain'));
alter table unmapped_values drop constraint unmapped_values_field_check;
update unmapped_values set field = 'genericColor' where field = 'genericColour';
alter table unmapped_values add constraint unmapped_values_field_check check (field in
  ('condition', 'make', 'model', 'body', 'genericColor', 'fuel', 'electrification', 'transmission', 'drivetrain'));

-- The columns of custom files are placeholders in braces. Channels with the standard columns keep their headers, because
-- receivers read the file by them: they get the former columns as custom ones.
alter table channels disable trigger user;
update channels set columns = (
    select jsonb_agg(c.item || jsonb_build_object('value',
      replace(replace(c.item ->> 'value', '{colour}', '{color}'), '{interior_colour}', '{interior_color}')) order by c.place)
    from jsonb_array_elements(columns) with ordinality as c (item, place))
  where columns::text like '%colour}%';
update channels set columns = (
    select jsonb_agg(jsonb_build_object('name', c.name, 'value', '{' || pg_temp.new_name(c.name) || '}') order by c.place)
    from unnest(string_to_array('vin stock condition year make model trim body doors colour interior_colour mileage mileage_unit engine fuel transmission drivetrain price msrp currency in_stock_since description options certified_programme url photos dealer lot_code lot address city region postal_code phone', ' ')) with ordinality as c (name, place))
  where kind = 'csv' and columns = '[]';
update channels set rule = pg_temp.new_rule(rule, false) where rule ~ '\mcolour\M';
alter table channels enable trigger user;

alter table list_views disable trigger user;
update list_views set state = pg_temp.new_query(list, state)
  where list in ('vehicles', 'valueMappings', 'unmappedValues') and state::text ~* 'colour';
alter table list_views enable trigger user;

-- Jobs that are queued, running or can be undone. What is stored of finished ones follows the same names.
alter table jobs disable trigger user;
update jobs set payload = pg_temp.new_query(payload ->> 'list', payload)
  where kind = 'reports.startExport' and payload ->> 'list' in ('vehicles', 'valueMappings', 'unmappedValues') and payload::text ~* 'colour';
update jobs set payload = payload || jsonb_build_object('changes', pg_temp.new_fields(payload -> 'changes'))
  where kind = 'valueMappings.apply' and payload::text like '%genericColour"%';
alter table jobs enable trigger user;
update job_rows r set before = r.before
    || case when jsonb_typeof(r.before -> 'was') = 'object' then jsonb_build_object('was', pg_temp.new_keys(r.before -> 'was')) else '{}' end
    || case when jsonb_typeof(r.before -> 'provenance') = 'array'
      then jsonb_build_object('provenance', pg_temp.new_stamps(r.before -> 'provenance')) else '{}' end
    || case when jsonb_typeof(r.before -> 'locked') = 'array'
      then jsonb_build_object('locked', pg_temp.new_names(r.before -> 'locked')) else '{}' end
  where r.before::text like '%olour"%' and exists (select from jobs j where j.customer_id = r.customer_id and j.id = r.job_id
    and (j.kind = 'valueMappings.apply' or j.kind like 'vehicles.%'));

drop function pg_temp.new_query(text, jsonb);
drop function pg_temp.new_rule(text, boolean);
drop function pg_temp.new_image(jsonb);
drop function pg_temp.new_stamps(jsonb);
drop function pg_temp.new_fields(jsonb);
drop function pg_temp.new_keys(jsonb);
drop function pg_temp.new_names(jsonb);
drop function pg_temp.new_names(text[]);
drop function pg_temp.new_name(text);
