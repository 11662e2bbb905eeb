-- Roles are shared by all databases of a server: another copy of the product may have made them already.
-- forecourt_app answers requests, forecourt_iam keeps sign-ins and sessions, forecourt_jobs runs the queue.
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

-- Secrets and sessions. Only forecourt_iam may look inside.
create schema iam;
grant usage on schema iam to forecourt_iam;

-- What was done to which row, by whom. Written by audit_change() alone.
create table audit_log (
  customer_id bigint not null,
  id bigint generated always as identity,
  at timestamptz not null default now(),
  -- The rooftop the row belongs to; null where it belongs to the whole customer.
  organization_id bigint,
  -- The real person, and the one in whose skin they acted. Names are kept as they were.
  actor_user_id bigint,
  actor_name text,
  effective_user_id bigint,
  effective_name text,
  -- The contract's name of the call, for instance lots.update.
  endpoint text,
  operation text not null check (operation in ('insert', 'update', 'delete', 'event')),
  table_name text not null,
  row_id text not null,
  before jsonb,
  after jsonb,
  primary key (customer_id, id)
);
create index audit_log_latest on audit_log (customer_id, at desc, id desc);
create index audit_log_row on audit_log (customer_id, table_name, row_id, at desc);

-- Secrets never reach the audit log: columns that end in _hash, _sealed or _secret are masked.
create function masked(row_image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(key, case when key ~ '(_hash|_sealed|_secret)$' and value <> 'null' then '"***"'::jsonb else value end)
  from jsonb_each(row_image)
$$;

-- Arguments: the columns of the primary key after customer_id.
create function audit_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  present jsonb := coalesce(new_row, old_row);
  row_key text;
begin
  if old_row is not distinct from new_row then
    return null;
  end if;
  select string_agg(present ->> key_column, '/') into row_key from unnest(tg_argv) key_column;
  insert into audit_log (customer_id, organization_id, actor_user_id, actor_name, effective_user_id, effective_name,
    endpoint, operation, table_name, row_id, before, after)
  values (
    (present ->> 'customer_id')::bigint,
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

-- Every update that changes something counts the version up and says who and when.
create function touch_row() returns trigger language plpgsql as $$
begin
  if new is distinct from old then
    new.version := old.version + 1;
    new.updated_at := now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;

-- Makes a table the tenant's: row level security for forecourt_app and the audit trigger.
--   key_columns      the primary key after customer_id
--   by_organization  rows belong to a rooftop: who reaches only their own organization sees only its rows
--   narrowed_by      a further condition on the rows
--   operations       what forecourt_app may do
-- Settings stand in sub-selects so that they are read once a statement, not once a row.
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

-- Rows of a rooftop stay with those who reach it, rows of the whole customer with those who reach all of it.
call protect_tenant_table('audit_log', array['id'], by_organization => true, operations => 'select', audited => false);
grant insert on audit_log to forecourt_iam;
create policy events on audit_log for insert to forecourt_iam with check (operation = 'event');

-- What this copy of the product is: the name that ends its cookies, and a sealed word that only the right secret opens.
create table iam.installation (
  only_row boolean primary key default true check (only_row),
  install_id text not null,
  key_check_sealed text not null,
  created_at timestamptz not null default now()
);
grant select, insert, update on iam.installation to forecourt_iam;

-- The job queue keeps its own tables in its own schema.
grant forecourt_jobs to current_user;
create schema pgboss authorization forecourt_jobs;
