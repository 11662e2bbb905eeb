-- Work that somebody started and that goes on by itself: a change of many rows, an export. It is put here in the
-- transaction that causes it and done after that, batch by batch, with the rights its person has then.
create table jobs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The rooftop whose people may see it; null for those who reach the whole customer alone, because it does as well.
  organization_id bigint,
  -- Where its person acted, and how far they reached.
  acting_organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  reach text not null default current_setting('app.reach', true) check (reach in ('organization', 'customer')),
  -- The real person, and the one whose rights it works with: the same unless impersonating. Staff of the platform belong
  -- to another customer. Names are kept as they were.
  actor_customer_id bigint not null,
  actor_user_id bigint not null,
  actor_name text not null,
  effective_customer_id bigint not null,
  effective_user_id bigint not null,
  effective_name text not null,
  -- What kind of work, by the name of the call that starts it, and its parameters: numbers and choices, never rows.
  kind text not null,
  title text not null,
  payload jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  total integer,
  -- Rows it came to, how many of them were refused, and how many became different.
  done integer not null default 0,
  failures integer not null default 0,
  changed integer not null default 0,
  -- Up to here its rows are done.
  last_row_id bigint not null default 0,
  error text,
  file_name text,
  file_type text,
  file_bytes bigint,
  file_expires_at timestamptz,
  -- The job that this one takes back.
  undo_of bigint,
  wants_cancel boolean not null default false,
  -- Which server works on it, and until when nobody else may; the turns it had since one went well.
  lease uuid,
  leased_until timestamptz,
  turn_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, acting_organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, undo_of) references jobs (customer_id, id) on delete set null (undo_of),
  check ((organization_id is null) = (reach = 'customer'))
);
create index jobs_latest on jobs (customer_id, created_at desc, id desc);
create index jobs_person on jobs (customer_id, effective_user_id, created_at desc);
create index jobs_due on jobs (customer_id, id) where state in ('waiting', 'running');
create index jobs_turn on jobs (customer_id, turn_at desc nulls last);
create index jobs_undo on jobs (customer_id, undo_of) where undo_of is not null;
call protect_tenant_table('jobs', array['id'], by_organization => true, operations => 'select, insert, update', audited => false);

-- The rows of a job, frozen when it started, so that exactly those are changed that were counted then. What a row was
-- before is kept where the job made it different. Without a foreign key: a million of them go in with one statement.
create table job_rows (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  job_id bigint not null,
  row_id bigint not null,
  organization_id bigint,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  -- Of a row that was refused: what it was called, and why.
  title text,
  reason text,
  before jsonb,
  primary key (customer_id, job_id, row_id)
);
create index job_rows_failed on job_rows (customer_id, job_id, row_id) where state = 'failed';
call protect_tenant_table('job_rows', array['job_id', 'row_id'], by_organization => true,
  operations => 'select, insert, update', audited => false);

-- The file a job made, in parts of a megabyte: any server hands it out, none holds it whole.
create table job_file_parts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  job_id bigint not null,
  part integer not null,
  organization_id bigint,
  bytes bytea not null,
  primary key (customer_id, job_id, part)
);
alter table job_file_parts alter column bytes set storage external;
call protect_tenant_table('job_file_parts', array['job_id', 'part'], by_organization => true,
  operations => 'select, insert, delete', audited => false);

-- The queue says whose turn it is and forgets what is old. It reads no row of a customer and no file.
grant usage on schema public to forecourt_jobs;
create policy queue on jobs to forecourt_jobs using (true) with check (true);
create policy queue on job_rows to forecourt_jobs using (true);
create policy queue on job_file_parts to forecourt_jobs using (true);
grant select, update, delete on jobs to forecourt_jobs;
grant select (customer_id, job_id, row_id, state), delete on job_rows to forecourt_jobs;
grant select (customer_id, job_id, part), delete on job_file_parts to forecourt_jobs;

create function forget_job() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.job_rows where customer_id = old.customer_id and job_id = old.id;
  delete from public.job_file_parts where customer_id = old.customer_id and job_id = old.id;
  return null;
end
$$;
create trigger forget after delete on jobs for each row execute function forget_job();

-- A job that ended leaves one row in the audit log: who started what over which rows, and what came of it.
create function note_job() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.audit_log (customer_id, organization_id, actor_user_id, actor_name, effective_user_id, effective_name,
    endpoint, operation, table_name, row_id, after)
  values (new.customer_id, new.organization_id, new.actor_user_id, new.actor_name, new.effective_user_id,
    case when new.effective_user_id <> new.actor_user_id then new.effective_name end,
    new.kind, 'event', 'jobs', new.id::text,
    jsonb_build_object('event', new.title, 'state', new.state, 'total', new.total, 'done', new.done,
      'failures', new.failures, 'changed', new.changed, 'undo_of', new.undo_of, 'payload', new.payload));
  return null;
end
$$;
create trigger note after update of state on jobs for each row
  when (new.state in ('done', 'failed', 'cancelled') and old.state is distinct from new.state) execute function note_job();

-- Rows that a running job of this customer changes leave no entry each: its own row above tells of them, and job_rows
-- holds what they were. Where no such job is under way the setting means nothing.
create or replace function audit_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- How somebody wants to find a list again: for themselves, for an organization, or for everybody of a user type.
create table list_views (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  list text not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  scope text not null check (scope in ('private', 'organization', 'userType')),
  organization_id bigint,
  user_type_id bigint,
  -- Staff of the platform own views in customers that are not theirs. The name is kept as it was.
  owner_user_id bigint not null,
  owner_name text not null,
  -- Within which names are unique.
  place text not null generated always as (case scope when 'private' then 'person ' || owner_user_id::text
    when 'organization' then 'organization ' || organization_id::text else 'type ' || user_type_id::text end) stored,
  state jsonb not null default '{}' check (jsonb_typeof(state) = 'object'),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, list, place, name_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, user_type_id) references user_types (customer_id, id) on delete cascade,
  check ((scope = 'organization') = (organization_id is not null) and (scope = 'userType') = (user_type_id is not null))
);
create index list_views_owner on list_views (customer_id, owner_user_id, list);
create trigger touch before update on list_views for each row execute function touch_row('name_key', 'place');
call protect_tenant_table('list_views', array['id'], narrowed_by => $rule$
  (scope <> 'private' or owner_user_id = (select nullif(current_setting('app.effective_user_id', true), '')::bigint))
  and (scope <> 'organization' or organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint))
$rule$);

-- The view that a list opens with, for one person.
create table default_views (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  list text not null,
  view_id bigint not null,
  primary key (customer_id, user_id, list),
  foreign key (customer_id, view_id) references list_views (customer_id, id) on delete cascade
);
create index default_views_view on default_views (customer_id, view_id);
call protect_tenant_table('default_views', array['user_id', 'list'], audited => false, narrowed_by => $rule$
  user_id = (select nullif(current_setting('app.effective_user_id', true), '')::bigint)
$rule$);

-- What was somebody's own goes with them; what they shared stays. Staff have views in other customers as well.
create function forget_views() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.default_views where user_id = old.id;
  delete from public.list_views where owner_user_id = old.id and scope = 'private';
  return null;
end
$$;
create trigger forget_views after delete on users for each row execute function forget_views();
create index default_views_person on default_views (user_id);
create index list_views_private on list_views (owner_user_id) where scope = 'private';
