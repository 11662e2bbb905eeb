-- The queue's role decides which job runs next and deletes old ones. It reads no customer data and no files.
grant usage on schema public to forecourt_jobs;

-- Background jobs, such as a bulk change or an export. A job is created in the transaction that causes it and runs
-- afterward, in batches, with the permissions its user has at that time.
create table jobs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The organization whose users may see it; null if it needs customer-wide reach because the job does.
  organization_id bigint,
  -- Where the user worked and how far they reached.
  acting_organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  reach text not null default current_setting('app.reach', true) check (reach in ('organization', 'customer')),
  -- The real user, and the user whose permissions apply (the same unless impersonating). Platform staff belong to another
  -- customer. Names are stored as they were at the time.
  actor_customer_id bigint not null,
  actor_user_id bigint not null,
  actor_name text not null,
  effective_customer_id bigint not null,
  effective_user_id bigint not null,
  effective_name text not null,
  -- The endpoint that started it, and its parameters: IDs and options, never rows.
  kind text not null,
  title text not null,
  payload jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  total integer,
  -- Rows processed, rows rejected, rows changed.
  done integer not null default 0,
  failures integer not null default 0,
  changed integer not null default 0,
  -- Rows up to this one are done.
  last_row_id bigint not null default 0,
  error text,
  file_name text,
  file_type text,
  file_bytes bigint,
  file_expires_at timestamptz,
  -- The job that this one undoes.
  undo_of bigint,
  wants_cancel boolean not null default false,
  -- The server working on it and until when it holds the lease; attempts since the last success.
  lease uuid,
  leased_until timestamptz,
  turn_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null default app_now(),
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
create policy queue on jobs to forecourt_jobs using (true) with check (true);
grant select, update, delete on jobs to forecourt_jobs;
create index jobs_organization on jobs (customer_id, organization_id) where organization_id is not null;
create index jobs_acting on jobs (customer_id, acting_organization_id) where acting_organization_id is not null;

-- The rows of a job, frozen when it started, so that it changes exactly the rows that were counted. The former values are
-- kept where the job changed a row. No foreign key: a million rows are inserted in one statement.
create table job_rows (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  job_id bigint not null,
  row_id bigint not null,
  organization_id bigint,
  state text not null default 'pending' check (state in ('pending', 'done', 'failed')),
  -- For a rejected row: its title and the reason.
  title text,
  reason text,
  before jsonb,
  primary key (customer_id, job_id, row_id)
);
create index job_rows_failed on job_rows (customer_id, job_id, row_id) where state = 'failed';
call protect_tenant_table('job_rows', array['job_id', 'row_id'], by_organization => true,
  operations => 'select, insert, update', audited => false);
create policy queue on job_rows to forecourt_jobs using (true);
grant select (customer_id, job_id, row_id, state), delete on job_rows to forecourt_jobs;

-- The file produced by a job, in parts of one megabyte, so that any server can send it without holding all of it.
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
create policy queue on job_file_parts to forecourt_jobs using (true);
grant select (customer_id, job_id, part), delete on job_file_parts to forecourt_jobs;

create function forget_job() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.job_rows where customer_id = old.customer_id and job_id = old.id;
  delete from public.job_file_parts where customer_id = old.customer_id and job_id = old.id;
  return null;
end
$$;
create trigger forget after delete on jobs for each row execute function forget_job();

-- A finished job leaves one row in the audit log: who started what on which rows, and the result.
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

-- Saved list views: private, for an organization, or for all users of a type.
create table list_views (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  list text not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  scope text not null check (scope in ('private', 'organization', 'userType')),
  organization_id bigint,
  user_type_id bigint,
  -- Platform staff can own views in other customers. The name is stored as it was.
  owner_user_id bigint not null,
  owner_name text not null,
  -- The scope within which names are unique.
  place text not null generated always as (case scope when 'private' then 'person ' || owner_user_id::text
    when 'organization' then 'organization ' || organization_id::text else 'type ' || user_type_id::text end) stored,
  state jsonb not null default '{}' check (jsonb_typeof(state) = 'object'),
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
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
create index list_views_private on list_views (owner_user_id) where scope = 'private';
create index list_views_organization on list_views (customer_id, organization_id) where organization_id is not null;
create index list_views_user_type on list_views (customer_id, user_type_id) where user_type_id is not null;

-- The view that a list opens with, per user.
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
create index default_views_person on default_views (user_id);

-- Deleting a user deletes their private views; shared ones stay. Platform staff have views in other customers as well.
create function forget_views() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.default_views where user_id = old.id;
  delete from public.list_views where owner_user_id = old.id and scope = 'private';
  return null;
end
$$;
create trigger forget_views after delete on users for each row execute function forget_views();

-- Row counts without counting: each statement adds a row with its difference, and these are summed up from time to time.
-- A single counter would make concurrent writers wait for each other.
create table row_counts (
  customer_id bigint not null,
  source text collate "C" not null,
  organization_id bigint not null,
  id bigint generated always as identity,
  rows bigint not null,
  primary key (customer_id, source, organization_id, id)
);
call protect_tenant_table('row_counts', array['source', 'organization_id', 'id'], by_organization => true,
  operations => 'select', audited => false);

-- Part of the transaction it counts for, so count and rows always agree.
create function count_rows() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customers bigint[];
begin
  if tg_op = 'UPDATE' then
    with moved as (
      select n.customer_id, n.organization_id as into_organization, o.organization_id as from_organization from new_rows n
      join old_rows o on o.customer_id = n.customer_id and o.id = n.id and o.organization_id <> n.organization_id
    ), written as (
      insert into row_counts (customer_id, source, organization_id, rows)
      select customer_id, tg_table_name, organization_id, sum(more) from (
        select customer_id, into_organization as organization_id, 1 as more from moved
        union all select customer_id, from_organization, -1 from moved) m
      group by 1, 3 having sum(more) <> 0 returning customer_id)
    select array_agg(distinct customer_id) into customers from written;
  elsif tg_op = 'INSERT' then
    with written as (
      insert into row_counts (customer_id, source, organization_id, rows)
      select customer_id, tg_table_name, organization_id, count(*) from new_rows group by 1, 3 returning customer_id)
    select array_agg(distinct customer_id) into customers from written;
  else
    with written as (
      insert into row_counts (customer_id, source, organization_id, rows)
      select customer_id, tg_table_name, organization_id, -count(*) from old_rows group by 1, 3 returning customer_id)
    select array_agg(distinct customer_id) into customers from written;
  end if;
  -- Every so often what was written is added up; what another transaction adds up right now is left to it.
  if customers is not null and lastval() % 32 = 0 then
    with added as (
      delete from row_counts c using (
        select customer_id, source, organization_id, id from row_counts
        where customer_id = any(customers) and source = tg_table_name for update skip locked) free
      where (c.customer_id, c.source, c.organization_id, c.id) = (free.customer_id, free.source, free.organization_id, free.id)
      returning c.customer_id, c.source, c.organization_id, c.rows
    )
    insert into row_counts (customer_id, source, organization_id, rows)
    select customer_id, source, organization_id, sum(rows) from added group by 1, 2, 3 having sum(rows) <> 0;
  end if;
  return null;
end
$$;
