-- Before an update is done its generated columns are still empty, so a row that has some would always seem changed. Arguments
-- of the trigger: the generated columns, which follow from the others.
create or replace function touch_row() returns trigger language plpgsql as $$
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
    new.updated_at := now();
    new.updated_by := nullif(current_setting('app.actor_name', true), '');
  end if;
  return new;
end
$$;
create or replace trigger touch before update on organizations for each row execute function touch_row('name_key');
create or replace trigger touch before update on user_types for each row execute function touch_row('name_key');
create or replace trigger touch before update on users for each row execute function touch_row('user_name_key', 'email_key');

-- Customers keep their own details; the platform's staff keep their status.
alter table customers
  add column legal_name text,
  add column website text,
  add column phone text,
  add column time_zone text not null default 'UTC',
  add column currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  add column distance_unit text not null default 'mi' check (distance_unit in ('mi', 'km')),
  -- Whose rules on advertised prices hold.
  add column price_law text not null default 'us' check (price_law in ('us', 'us-ca', 'us-ok', 'ca', 'none')),
  add column makes text[] not null default '{}',
  -- Lists of small objects that are edited and saved as one with the rest; contract/customers/details/details.ts has their shapes.
  add column contacts jsonb not null default '[]' check (jsonb_typeof(contacts) = 'array'),
  add column fees jsonb not null default '[]' check (jsonb_typeof(fees) = 'array'),
  add column disclaimers jsonb not null default '[]' check (jsonb_typeof(disclaimers) = 'array'),
  -- Whom the customer was handed to: its first administrator.
  add column administrator_id bigint,
  add column status_reason text,
  add column status_changed_at timestamptz,
  add column version integer not null default 1,
  add column updated_at timestamptz not null default now(),
  add column updated_by text default nullif(current_setting('app.actor_name', true), '');
alter table customers add foreign key (id, administrator_id) references users (customer_id, id)
  on delete set null (administrator_id);
create trigger touch before update on customers for each row execute function touch_row();

-- The customer acted in may be changed by its own people, but for its status and what makes it the platform.
create policy profile on customers for update to forecourt_app
  using (id = (select nullif(current_setting('app.customer_id', true), '')::bigint))
  with check (id = (select nullif(current_setting('app.customer_id', true), '')::bigint));
grant update (name, legal_name, website, phone, time_zone, currency, distance_unit, price_law, makes, contacts, fees,
  disclaimers, version, updated_at, updated_by) on customers to forecourt_app;

-- A row of customers belongs to the customer it is.
create or replace function audit_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
    (case tg_table_name when 'customers' then present ->> 'id' else present ->> 'customer_id' end)::bigint,
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
create trigger audit after insert or update or delete on customers for each row execute function audit_change('id');

-- Types other than the administrator's stand below it, so that who keeps people can tell who is above whom.
update user_types t set parent_id = top.id
from user_types top
where top.customer_id = t.customer_id and top.parent_id is null and t.parent_id is null and t.id <> top.id
  and top.name in ('Customer administrator', 'Super user')
  and t.name in ('Dealer user', 'Sustainability manager', 'Auditor', 'Participant', 'Platform administrator');
update user_types t set parent_id = top.id
from user_types top
where top.customer_id = t.customer_id and t.parent_id is null
  and top.name = 'Platform administrator' and t.name = 'Support agent';
-- The functions new with this version, for the types that hold everything.
insert into user_type_permissions (customer_id, user_type_id, func, opr)
select t.customer_id, t.id, new.func, new.opr
from user_types t join customers c on c.id = t.customer_id
cross join (values (49, 1), (49, 2), (49, 4), (50, 1), (50, 2), (50, 3), (50, 4), (50, 8)) as new (func, opr)
where (c.is_platform and t.name in ('Super user', 'Platform administrator'))
  or (c.is_platform and t.name = 'Support agent' and new.opr <= 2)
  or (not c.is_platform and t.name = 'Customer administrator' and new.func = 49)
  or (not c.is_platform and t.name = 'Auditor' and new.func = 49 and new.opr <= 2);
alter table user_types add constraint user_types_not_below_itself check (parent_id <> id);
create index user_types_parent on user_types (customer_id, parent_id);
create index users_type on users (customer_id, user_type_id, id);
-- Customers that are there already were handed to the first person of their first type.
update customers c set administrator_id = (
  select u.id from users u join user_types t on t.customer_id = u.customer_id and t.id = u.user_type_id
  where u.customer_id = c.id and t.parent_id is null order by u.id limit 1);
-- Read by person or by organization, it gives one row either way: a big rooftop must not be walked for each request.
drop index memberships_organization;
create index memberships_organization on memberships (customer_id, organization_id, user_id);

alter table users
  add column phone text,
  add column job_title text,
  add column created_at timestamptz not null default now();
grant insert, update, delete on users to forecourt_app;
-- A new person is no member yet, so nobody who reaches one organization could see the row while it is made; its
-- number is taken before, and the membership makes it visible.
grant usage on sequence users_id_seq to forecourt_app;
alter policy tenant on users
  with check (customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint));
create index users_name on users (customer_id, lower(last_name || ' ' || first_name), id);
create index users_super on users (customer_id) where is_super;

-- When somebody last signed in and got a password. Written by identity at every sign-in; beside the person's row, so
-- that a sign-in changes neither its version nor the audit log.
create table user_access (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  password_set_at timestamptz,
  password_mail_at timestamptz,
  last_sign_in_at timestamptz,
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
call protect_tenant_table('user_access', array['user_id'], operations => 'select', audited => false);
create policy identity on user_access to forecourt_iam using (true) with check (true);
grant select, insert, update on user_access to forecourt_iam;
insert into user_access (customer_id, user_id, password_set_at)
select customer_id, user_id, changed_at from iam.credentials;

-- Links that set a password, by the hash of their word. A newer one replaces those before it.
create table iam.password_links (
  token_hash bytea primary key,
  customer_id bigint not null,
  user_id bigint not null,
  purpose text not null check (purpose in ('first', 'reset')),
  -- Asked for at the sign-in page, where anybody may: it leaves the link of an invitation as it is.
  is_asked boolean not null default false,
  -- Whom it was mailed to, under which name: it is of no use once either was changed.
  email_key text not null,
  user_name_key text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
create index password_links_user on iam.password_links (customer_id, user_id, created_at desc);

-- How a person wants the product to look.
create table iam.appearances (
  customer_id bigint not null,
  user_id bigint not null,
  appearance jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
-- How often something was asked for within a window of time, so that it may have a limit: mails an account, requests an
-- address. Counted in one statement, so that requests sent all at once count too.
create table iam.request_counts (
  kind text not null,
  key text not null,
  count integer not null,
  window_started_at timestamptz not null default now(),
  primary key (kind, key)
);
grant select, insert, update, delete on iam.password_links, iam.appearances, iam.request_counts to forecourt_iam;

-- Mails the product wrote. Their words are sealed: a link that sets a password stands in some.
create table outbox_mails (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The rooftop whose people see it; null for those who reach the whole customer alone.
  organization_id bigint,
  -- The person it is for, where it is for one who signs in.
  user_id bigint,
  to_name text not null,
  to_email text not null,
  subject text not null,
  text_sealed text not null,
  has_secret boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'kept', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  next_attempt_at timestamptz default now(),
  sent_at timestamptz,
  -- From when on its link is of no use; null where none stands in it.
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index outbox_mails_latest on outbox_mails (customer_id, created_at desc, id desc);
create index outbox_mails_person on outbox_mails (customer_id, user_id, created_at desc);
create index outbox_mails_due on outbox_mails (next_attempt_at) where state = 'waiting';
create index outbox_mails_failed on outbox_mails (customer_id) where state = 'failed';
call protect_tenant_table('outbox_mails', array['id'], by_organization => true, operations => 'select, insert, update');
create policy identity on outbox_mails to forecourt_iam using (true) with check (true);
grant select, insert, update on outbox_mails to forecourt_iam;

-- Which of these people are members of another organization than the one acted in, too: row level security hides that
-- from whoever reaches one organization, and whoever could change them would get in there.
create function members_elsewhere(ids bigint[]) returns table (user_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct m.user_id from public.memberships m
  where m.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
    and m.organization_id <> (select nullif(current_setting('app.organization_id', true), '')::bigint)
    and m.user_id = any(ids)
$$;
revoke execute on function members_elsewhere(bigint[]) from public;
grant execute on function members_elsewhere(bigint[]) to forecourt_app;

-- People sign in by user name or e-mail: a user name that is somebody else's address would stand in their way. Refused as
-- a name that is taken, so that nobody learns whose address it is.
create function refuse_foreign_address() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from public.users u where u.email_key = lower(new.user_name) and u.id <> new.id) then
    raise unique_violation using message = 'This user name is an e-mail address of somebody else.',
      constraint = 'users_user_name_key_key', table = 'users';
  end if;
  return new;
end
$$;
create trigger foreign_address before insert or update of user_name on users for each row
  when (position('@' in new.user_name) > 0) execute function refuse_foreign_address();

-- What was done to a person is found by the start of the row's key, whatever the database's collation is.
drop index audit_log_row;
create index audit_log_row on audit_log (customer_id, table_name, row_id text_pattern_ops, at desc);
