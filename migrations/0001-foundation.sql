-- Roles belong to the whole server, so another installation may have created them already. forecourt_app answers requests,
-- forecourt_iam manages sign-ins and sessions, forecourt_jobs runs the queue.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['forecourt_app', 'forecourt_iam', 'forecourt_jobs'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin noinherit nosuperuser nobypassrls', wanted);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
  end loop;
end
$$;

revoke create on schema public from public;

grant usage on schema public to forecourt_app, forecourt_iam;

-- Secrets and sessions. Only forecourt_iam may read them.
create schema iam;

grant usage on schema iam to forecourt_iam;

-- The product's clock in SQL. Only tests set app.clock_offset (src/server/clock.ts); without it, app_now() is now().

/** The moment at which the transaction began, by the product's clock. */
create function app_now() returns timestamptz language sql stable parallel safe as $$
  select case when coalesce(current_setting('app.clock_offset', true), '') = '' then now()
    else now() + current_setting('app.clock_offset')::interval end
$$;

/** The moment at which it is called, by the product's clock. */
create function app_clock_timestamp() returns timestamptz language sql volatile parallel safe as $$
  select case when coalesce(current_setting('app.clock_offset', true), '') = '' then clock_timestamp()
    else clock_timestamp() + current_setting('app.clock_offset')::interval end
$$;

/** The date at this moment in an IANA time zone. */
create function today(zone text) returns date language sql stable parallel safe as $$
  select (public.app_now() at time zone zone)::date
$$;

-- Secrets never reach the audit log: columns ending in _hash, _sealed or _secret are masked.
create function masked(row_image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, case when key ~ '(_hash|_sealed|_secret)$' and value <> 'null' then '"***"'::jsonb else value end)
  from jsonb_each(row_image)
$$;

-- Arguments: the columns of the primary key after customer_id. A row of `customers` belongs to the customer that it is.
-- Rows changed by a running job get no entries of their own: the job has one entry, and job_rows has their former values.
create function audit_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  running_job constant bigint := nullif(current_setting('app.job_id', true), '')::bigint;
  row_customer bigint;
  old_row jsonb;
  new_row jsonb;
  present jsonb;
  row_key text;
begin
  if tg_table_name = 'customers' then
    row_customer := coalesce(new.id, old.id);
  elsif tg_op = 'DELETE' then
    row_customer := old.customer_id;
  else
    row_customer := new.customer_id;
  end if;
  if running_job is not null and exists (select from public.jobs j
    where j.customer_id = row_customer and j.id = running_job and j.state = 'running') then
    return null;
  end if;
  old_row := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  if old_row is not distinct from new_row then
    return null;
  end if;
  present := coalesce(new_row, old_row);
  select string_agg(present ->> key_column, '/') into row_key from unnest(tg_argv) key_column;
  insert into audit_log (customer_id, organization_id, actor_user_id, actor_name, effective_user_id, effective_name,
    endpoint, operation, table_name, row_id, before, after)
  values (
    row_customer,
    (case tg_table_name when 'organizations' then present ->> 'id' else present ->> 'organization_id' end)::bigint,
    nullif(current_setting('app.actor_user_id', true), '')::bigint,
    nullif(current_setting('app.actor_name', true), ''),
    nullif(current_setting('app.effective_user_id', true), '')::bigint,
    nullif(current_setting('app.effective_name', true), ''),
    nullif(current_setting('app.endpoint', true), ''),
    lower(tg_op), tg_table_name, row_key, masked(old_row), masked(new_row));
  return null;
end
$$;

-- Every update that changes something increases the version and records who and when. Arguments: the generated columns,
-- which are still empty before an update and would make every row look changed.
create function touch_row() returns trigger language plpgsql as $$
declare
  is_changed boolean;
begin
  if tg_nargs = 0 then
    is_changed := new is distinct from old;
  else
    is_changed := (to_jsonb(new) - tg_argv) is distinct from (to_jsonb(old) - tg_argv);
  end if;
  if is_changed then
    new.version := old.version + 1;
    new.updated_at := public.app_now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;

-- Makes a table a tenant table: row level security for forecourt_app, and the audit trigger.
--   key_columns      the primary key after customer_id
--   by_organization  rows belong to an organization; users without customer-wide reach see only their organization's rows
--   narrowed_by      a further condition on the rows
--   operations       what forecourt_app may do
-- Settings are read in subqueries so that they are evaluated once per statement, not once per row.
create procedure protect_tenant_table(
  target regclass, key_columns text[], by_organization boolean default false, narrowed_by text default null,
  operations text default 'select, insert, update, delete', audited boolean default true
) language plpgsql as $$
declare
  own_customer constant text := $p$customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)$p$;
  own_organization constant text := $p$ and (organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
    or (select current_setting('app.reach', true)) = 'customer')$p$;
  rule constant text := own_customer || case when by_organization then own_organization else '' end
    || coalesce(' and (' || narrowed_by || ')', '');
begin
  execute format('alter table %s enable row level security', target);
  execute format('create policy tenant on %s to forecourt_app using (%s) with check (%s)', target, rule, rule);
  execute format('grant %s on %s to forecourt_app', operations, target);
  if audited then
    execute format('create trigger audit after insert or update or delete on %s for each row execute function audit_change(%s)',
      target, (select string_agg(quote_literal(k), ', ') from unnest(key_columns) k));
  end if;
end
$$;

-- Which row was changed, how, and by whom. Written only by audit_change().
create table audit_log (
  customer_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default app_now(),
  -- The organization of the row; null if the row belongs to the whole customer.
  organization_id bigint,
  -- The real user, and the user they impersonated. Names are stored as they were at the time.
  actor_user_id bigint,
  actor_name text,
  effective_user_id bigint,
  effective_name text,
  -- The contract's name of the endpoint, for example lots.update.
  endpoint text,
  operation text not null check (operation in ('insert', 'update', 'delete', 'event')),
  table_name text not null,
  row_id text not null,
  before jsonb,
  after jsonb,
  primary key (customer_id, id)
);

-- Rows of an organization are visible to users who reach it; rows of the whole customer need customer-wide reach.
call protect_tenant_table('audit_log', array['id'], by_organization => true, operations => 'select', audited => false);
grant insert on audit_log to forecourt_iam;
create policy events on audit_log for insert to forecourt_iam with check (operation = 'event');
create index audit_log_row on audit_log (customer_id, table_name, row_id text_pattern_ops, at desc);
create index audit_log_latest on audit_log (customer_id, at desc, id desc) include (organization_id);

-- The identity of this installation: its cookie suffix, and a sealed value that only the right secret opens.
create table iam.installation (
  only_row boolean primary key default true check (only_row),
  install_id text not null,
  key_check_sealed text not null,
  created_at timestamptz not null default app_now(),
  -- The file store of this installation: a random word in its folder, or the Azure Storage account. A process with another
  -- store refuses to start. Null until the first start, and after a restore.
  file_store text
);
grant select, insert, update on iam.installation to forecourt_iam;

-- The health check compares applied migrations with the code; its role owns nothing.
grant select on schema_migrations to forecourt_iam;

create schema queue;

grant usage on schema queue to forecourt_jobs;

create table queue.schedules (
  name text primary key,
  every_minutes int not null,
  next_run_at timestamptz not null,
  lease uuid,
  leased_until timestamptz,
  failures int not null default 0
);
grant select, insert, update, delete on queue.schedules to forecourt_jobs;

-- Text as rules compare it: case-folded by a fixed table, because lower() depends on the server's locale and version. The
-- same table is in contract/expressions/fold-case.ts; test/api/rules-folding.test.ts compares the two. lower() with
-- collation "C" handles ASCII only and is fast, so the slow table is used only for text with a capital letter beyond ASCII.
-- A single non-strict SELECT, so that the planner can inline it.
create function fold_case(value text) returns text language sql immutable parallel safe
as $$
  select case
    when pg_catalog.octet_length(value) = pg_catalog.char_length(value) or value collate "C" !~
      '[ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽͰͲͶͿΆΈΉΊ'
      'ΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦ'
      'ѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮςİ]'
    then pg_catalog.lower(value collate "C")
    else pg_catalog.translate(pg_catalog.lower(value collate "C"),
      'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽͰͲͶͿΆΈΉΊ'
      'ΌΎΏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫϏϘϚϜϞϠϢϤϦϨϪϬϮϷϹϺϽϾϿЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦ'
      'ѨѪѬѮѰѲѴѶѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӁӃӅӇӉӋӍӐӒӔӖӘӚӜӞӠӢӤӦӨӪӬӮӰӲӴӶӸӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮςİ',
      'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷÿźżžͱͳͷϳάέήί'
      'όύώαβγδεζηθικλμνξοπρστυφχψωϊϋϗϙϛϝϟϡϣϥϧϩϫϭϯϸϲϻͻͼͽѐёђѓєѕіїјљњћќѝўџабвгдежзийклмнопрстуфхцчшщъыьэюяѡѣѥѧ'
      'ѩѫѭѯѱѳѵѷѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӂӄӆӈӊӌӎӑӓӕӗәӛӝӟӡӣӥӧөӫӭӯӱӳӵӷӹӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯσi')
  end
$$;
