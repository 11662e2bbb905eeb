-- People, their types and memberships are ordinary tenant tables; passwords and sessions are in schema iam.
create table user_types (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  parent_id bigint,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- What people of this type see: their own organization, or the whole customer.
  reach text not null default 'organization' check (reach in ('organization', 'customer')),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, parent_id) references user_types (customer_id, id)
);
create trigger touch before update on user_types for each row execute function touch_row();
call protect_tenant_table('user_types', array['id']);

create table user_type_permissions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_type_id bigint not null,
  func smallint not null,
  opr smallint not null,
  primary key (customer_id, user_type_id, func, opr),
  foreign key (customer_id, user_type_id) references user_types (customer_id, id) on delete cascade
);
call protect_tenant_table('user_type_permissions', array['user_type_id', 'func', 'opr']);

create table users (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  user_type_id bigint not null,
  user_name text not null,
  -- Sign-in knows no tenant, so user names are unique across the product.
  user_name_key text not null generated always as (lower(user_name)) stored unique,
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  first_name text not null,
  last_name text not null,
  is_super boolean not null default false,
  is_active boolean not null default true,
  -- A person of the demo world: may not sign in where strangers can reach the server.
  is_demo boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, user_type_id) references user_types (customer_id, id)
);
create index users_email on users (email_key);
create trigger touch before update on users for each row execute function touch_row();

-- Differences from the user type: allowed here, or denied here.
create table user_permissions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  func smallint not null,
  opr smallint not null,
  is_allowed boolean not null,
  primary key (customer_id, user_id, func, opr),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
call protect_tenant_table('user_permissions', array['user_id', 'func', 'opr']);

create table memberships (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  organization_id bigint not null,
  primary key (customer_id, user_id, organization_id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index memberships_organization on memberships (customer_id, organization_id);
call protect_tenant_table('memberships', array['user_id', 'organization_id'], by_organization => true,
  operations => 'select, insert, delete');

-- People of another rooftop stay unseen unless the reach is the whole customer: only the person and the members of
-- the organization acted in are visible.
call protect_tenant_table('users', array['id'], operations => 'select', narrowed_by => $rule$
  (select current_setting('app.reach', true)) = 'customer'
  or id = (select nullif(current_setting('app.effective_user_id', true), '')::bigint)
  or id in (select m.user_id from memberships m
    where m.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
      and m.organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint))
$rule$);

create policy identity on users for select to forecourt_iam using (true);
create policy identity on user_types for select to forecourt_iam using (true);
create policy identity on user_type_permissions for select to forecourt_iam using (true);
create policy identity on user_permissions for select to forecourt_iam using (true);
create policy identity on memberships for select to forecourt_iam using (true);
grant select on users, user_types, user_type_permissions, user_permissions, memberships to forecourt_iam;

create table iam.credentials (
  customer_id bigint not null,
  user_id bigint not null,
  password_hash text not null,
  changed_at timestamptz not null default now(),
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

-- The only truth about who is signed in as whom and where. Every request reads its row by primary key.
create table iam.sessions (
  id uuid primary key,
  -- The real person.
  customer_id bigint not null,
  user_id bigint not null,
  -- In whose skin; the person's own unless impersonating.
  effective_customer_id bigint not null,
  effective_user_id bigint not null,
  -- Where: platform staff act in another customer than their own.
  acting_customer_id bigint not null,
  organization_id bigint,
  is_verified boolean not null,
  is_remembered boolean not null default false,
  -- SHA-256 of the cookie the session is bound to; null for a session that lives on its bearer alone.
  cookie_hash bytea,
  generation integer not null default 1,
  -- When the newest token was issued, whole seconds: its claims follow from this row alone.
  issued_at timestamptz not null,
  rotated_at timestamptz not null,
  last_active_at timestamptz not null,
  ends_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text,
  user_agent text,
  ip text,
  created_at timestamptz not null default now(),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade,
  foreign key (effective_customer_id, effective_user_id) references public.users (customer_id, id) on delete cascade,
  foreign key (acting_customer_id, organization_id) references public.organizations (customer_id, id)
    on delete set null (organization_id)
);
create index sessions_user on iam.sessions (customer_id, user_id);
create index sessions_organization on iam.sessions (acting_customer_id, organization_id);
create index sessions_ends on iam.sessions (ends_at);

-- Wrong passwords, by account and by address. A guess looks here right before its password is compared and counts here
-- right after, at most one a processor core at a time.
create table iam.sign_in_failures (
  kind text not null check (kind in ('account', 'address')),
  key text not null,
  failures integer not null,
  window_started_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  blocked_until timestamptz,
  primary key (kind, key)
);

-- Counts up whenever what somebody may do changes; every server reads it with the session row.
create table iam.permission_versions (
  customer_id bigint primary key references public.customers (id) on delete cascade,
  version bigint not null default 1
);
grant select, insert, update, delete on iam.credentials, iam.sessions, iam.sign_in_failures to forecourt_iam;
grant select on iam.permission_versions to forecourt_iam;

create function count_permission_change() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into iam.permission_versions (customer_id) values (coalesce(new.customer_id, old.customer_id))
  on conflict (customer_id) do update set version = permission_versions.version + 1;
  return null;
end
$$;
create trigger permission_change after insert or update or delete on user_types for each row execute function count_permission_change();
create trigger permission_change after insert or update or delete on user_type_permissions for each row execute function count_permission_change();
create trigger permission_change after insert or update or delete on user_permissions for each row execute function count_permission_change();
create trigger permission_change after insert or update or delete on users for each row execute function count_permission_change();
