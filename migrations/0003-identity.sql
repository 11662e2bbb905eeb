-- Users, user types and memberships are ordinary tenant tables. Passwords, sessions and second factors are in schema iam.
create table user_types (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  parent_id bigint,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- What users of this type see: their own organization, or the whole customer.
  reach text not null default 'organization' check (reach in ('organization', 'customer')),
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  requires_second_factor boolean not null default false,
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, parent_id) references user_types (customer_id, id),
  constraint user_types_not_below_itself check (parent_id <> id)
);
create trigger touch before update on user_types for each row execute function touch_row('name_key');
call protect_tenant_table('user_types', array['id']);
create policy identity on user_types for select to forecourt_iam using (true);
create index user_types_parent on user_types (customer_id, parent_id);

create table user_type_permissions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_type_id bigint not null,
  func smallint not null,
  opr smallint not null,
  primary key (customer_id, user_type_id, func, opr),
  foreign key (customer_id, user_type_id) references user_types (customer_id, id) on delete cascade
);
call protect_tenant_table('user_type_permissions', array['user_type_id', 'func', 'opr']);
create policy identity on user_type_permissions for select to forecourt_iam using (true);

create table users (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  user_type_id bigint not null,
  user_name text not null,
  -- Sign-in doesn't know the tenant, so user names are unique across all customers.
  user_name_key text not null generated always as (lower(user_name)) stored unique,
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  first_name text not null,
  last_name text not null,
  is_super boolean not null default false,
  is_active boolean not null default true,
  -- A demo user: may not sign in where strangers can reach the server.
  is_demo boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  phone text,
  job_title text,
  created_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, user_type_id) references user_types (customer_id, id)
);
create index users_email on users (email_key);
create trigger touch before update on users for each row execute function touch_row('user_name_key', 'email_key');
create policy identity on users for select to forecourt_iam using (true);
alter table customers add foreign key (id, administrator_id) references users (customer_id, id)
  on delete set null (administrator_id);
create index users_type on users (customer_id, user_type_id, id);
grant insert, update, delete on users to forecourt_app;
create index users_name on users (customer_id, lower(last_name || ' ' || first_name), id);
create index users_super on users (customer_id) where is_super;

-- Super users look up a user by ID alone.
create index users_id on users (id);

-- Permissions that differ from the user type: allowed or denied.
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
create policy identity on user_permissions for select to forecourt_iam using (true);

create table memberships (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  organization_id bigint not null,
  primary key (customer_id, user_id, organization_id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
call protect_tenant_table('memberships', array['user_id', 'organization_id'], by_organization => true,
  operations => 'select, insert, delete');

-- Without customer-wide reach, a user sees only themselves and the members of the organization they work in.
call protect_tenant_table('users', array['id'], operations => 'select', narrowed_by => $rule$
  (select current_setting('app.reach', true)) = 'customer'
  or id = (select nullif(current_setting('app.effective_user_id', true), '')::bigint)
  or id in (select m.user_id from memberships m
    where m.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
      and m.organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint))
$rule$);
create policy identity on memberships for select to forecourt_iam using (true);
grant select on users, user_types, user_type_permissions, user_permissions, memberships to forecourt_iam;
create index memberships_organization on memberships (customer_id, organization_id, user_id);

-- A new user has no membership yet, so a user who reaches one organization could not see the row while creating it. The ID
-- is taken beforehand, and the membership makes the row visible.
grant usage on sequence users_id_seq to forecourt_app;
alter policy tenant on users
  with check (customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint));

create table iam.credentials (
  customer_id bigint not null,
  user_id bigint not null,
  password_hash text not null,
  changed_at timestamptz not null default app_now(),
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

-- The only record of who is signed in, as whom and where. Every request reads its row by primary key.
create table iam.sessions (
  id uuid primary key,
  -- The real user.
  customer_id bigint not null,
  user_id bigint not null,
  -- The impersonated user; the user's own ID unless impersonating.
  effective_customer_id bigint not null,
  effective_user_id bigint not null,
  -- Platform staff work in customers other than their own.
  acting_customer_id bigint not null,
  organization_id bigint,
  is_verified boolean not null,
  is_remembered boolean not null default false,
  -- SHA-256 of the cookie the session is bound to; null for a session that only uses a bearer token.
  cookie_hash bytea,
  generation integer not null default 1,
  -- When the newest token was issued, in whole seconds. The token's claims follow from this row alone.
  issued_at timestamptz not null,
  rotated_at timestamptz not null,
  last_active_at timestamptz not null,
  ends_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text,
  user_agent text,
  ip text,
  created_at timestamptz not null default app_now(),
  -- While impersonating: until when, whether it is read-only, and where the session returns to.
  impersonation_ends_at timestamptz,
  is_look_only boolean not null default false,
  own_acting_customer_id bigint,
  own_organization_id bigint,
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade,
  foreign key (effective_customer_id, effective_user_id) references public.users (customer_id, id) on delete cascade,
  foreign key (acting_customer_id, organization_id) references public.organizations (customer_id, id)
    on delete set null (organization_id)
);
create index sessions_user on iam.sessions (customer_id, user_id);
create index sessions_organization on iam.sessions (acting_customer_id, organization_id);
create index sessions_ends on iam.sessions (ends_at);

-- Users can see and end sessions in which somebody impersonates them.
create index sessions_effective_user on iam.sessions (effective_customer_id, effective_user_id);

-- Failed sign-ins by account and by address, checked right before a password is compared and counted right after, at most
-- one per processor core at a time. Wrong codes are counted separately: the right password must not reset them.
create table iam.sign_in_failures (
  kind text not null,
  key text not null,
  failures integer not null,
  window_started_at timestamptz not null default app_now(),
  last_at timestamptz not null default app_now(),
  blocked_until timestamptz,
  primary key (kind, key),
  constraint sign_in_failures_kind_check check (kind in ('account', 'address', 'factor'))
);
grant select, insert, update, delete on iam.credentials, iam.sessions, iam.sign_in_failures to forecourt_iam;

-- Increases whenever permissions change. Every server reads it together with the session.
create table iam.permission_versions (
  customer_id bigint primary key references public.customers (id) on delete cascade,
  version bigint not null default 1
);
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

-- Branding by the domain the product is opened on. A domain belongs to one customer.
create table white_labels (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  domain text not null check (domain = lower(domain)) unique,
  logo text,
  favicon text,
  title text not null,
  -- HTML, sanitized when it is written and again when it is read.
  footer text not null default '',
  brand text not null default '#0b6e4f' check (brand ~ '^#[0-9a-f]{6}$'),
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  -- Whether users work there or buyers browse there. Links in emails lead only to the first kind.
  purpose text not null default 'office' check (purpose in ('office', 'public')),
  -- The value that the domain's TXT record must have.
  challenge text not null default replace(gen_random_uuid()::text, '-', ''),
  -- Null until the TXT record is found. A domain given when the customer was created counts as verified.
  verified_at timestamptz default app_now(),
  primary key (customer_id, id)
);
create trigger touch before update on white_labels for each row execute function touch_row();
call protect_tenant_table('white_labels', array['id']);
create policy identity on white_labels for select to forecourt_iam using (true);
grant select on white_labels to forecourt_iam;

-- When a user last signed in or set a password. A table of its own so that a sign-in changes neither the user's version
-- nor the audit log, and readable by administrators, who cannot read schema iam.
create table user_access (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  password_set_at timestamptz,
  password_mail_at timestamptz,
  last_sign_in_at timestamptz,
  authenticator_at timestamptz,
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
call protect_tenant_table('user_access', array['user_id'], operations => 'select', audited => false);
create policy identity on user_access to forecourt_iam using (true) with check (true);
grant select, insert, update on user_access to forecourt_iam;

-- Links that set a password, by the hash of their token. A newer link replaces older ones.
create table iam.password_links (
  token_hash bytea primary key,
  customer_id bigint not null,
  user_id bigint not null,
  purpose text not null check (purpose in ('first', 'reset')),
  -- Requested on the sign-in page, where anyone can: does not replace an invitation link.
  is_asked boolean not null default false,
  -- The address and user name it was sent to. It becomes invalid when either changes.
  email_key text not null,
  user_name_key text not null,
  created_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
create index password_links_user on iam.password_links (customer_id, user_id, created_at desc);

-- A user's appearance settings.
create table iam.appearances (
  customer_id bigint not null,
  user_id bigint not null,
  appearance jsonb not null,
  updated_at timestamptz not null default app_now(),
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

-- Rate limits: how often something was requested within a window, such as emails per account or requests per address.
-- Counted in one statement so that concurrent requests count too.
create table iam.request_counts (
  kind text not null,
  key text not null,
  count integer not null,
  window_started_at timestamptz not null default app_now(),
  primary key (kind, key)
);
grant select, insert, update, delete on iam.password_links, iam.appearances, iam.request_counts to forecourt_iam;

-- Which of these users are also members of another organization. Row level security hides that from a user who reaches one
-- organization, and who could otherwise gain access to the other one by changing such a user.
create function members_elsewhere(ids bigint[]) returns table (user_id bigint)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct m.user_id from public.memberships m
  where m.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
    and m.organization_id <> (select nullif(current_setting('app.organization_id', true), '')::bigint)
    and m.user_id = any(ids)
$$;
revoke execute on function members_elsewhere(bigint[]) from public;
grant execute on function members_elsewhere(bigint[]) to forecourt_app;

-- People sign in with a user name or an email address, so a user name must not be another user's address. Rejected with the
-- same message as a taken name, so that nothing is revealed about whose address it is.
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

create table iam.authenticators (
  customer_id bigint not null,
  user_id bigint not null,
  secret_sealed text not null,
  -- Null until the first code was entered: until then it is not required.
  confirmed_at timestamptz,
  -- The time step of the last accepted code. That code and older ones are not accepted again.
  last_step bigint not null default 0,
  created_at timestamptz not null default app_now(),
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

create table iam.backup_codes (
  customer_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (customer_id, user_id, code_hash),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

-- The code most recently emailed to a user. Sealed instead of hashed so that it can be sent again while it is valid.
create table iam.mail_codes (
  customer_id bigint not null,
  user_id bigint not null,
  code_sealed text not null,
  -- The address it was sent to; it is not valid for another one.
  email_key text not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

-- Browsers that skip the second factor. A browser has one secret for all users who sign in there.
create table iam.trusted_devices (
  id uuid primary key default gen_random_uuid(),
  customer_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  user_agent text,
  ip text,
  created_at timestamptz not null default app_now(),
  last_used_at timestamptz not null default app_now(),
  expires_at timestamptz not null,
  unique (token_hash, customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
create index trusted_devices_user on iam.trusted_devices (customer_id, user_id);
grant select, insert, update, delete on iam.authenticators, iam.backup_codes, iam.mail_codes, iam.trusted_devices
  to forecourt_iam;

-- Logos and favicons, by the hash of their content. White labels refer to them by path.
create table white_label_pictures (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  type text not null,
  bytes bytea not null,
  created_at timestamptz not null default app_now(),
  primary key (customer_id, hash)
);

-- They are shown before sign-in, when the customer is not known yet.
create index white_label_pictures_hash on white_label_pictures (hash);
call protect_tenant_table('white_label_pictures', array['hash'], operations => 'select, insert, delete', audited => false);
create policy identity on white_label_pictures for select to forecourt_iam using (true);
grant select on white_label_pictures to forecourt_iam;

-- Nonces of sign-ins with Google, each valid once.
create table iam.used_nonces (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
grant select, insert, delete on iam.used_nonces to forecourt_iam;

-- Password requests whose email is not written yet. The response is sent as soon as the row exists, whether or not there is
-- such an account; the email is written in the background, also after a restart.
create table iam.password_requests (
  id bigint generated always as identity primary key,
  -- As entered, in lower case. Either may be empty.
  user_name text not null,
  email text not null,
  -- Whether demo accounts can be reached from where the request came.
  reaches_demo boolean not null,
  attempts integer not null default 0,
  -- While a process works on it, the time at which another one may take over.
  next_attempt_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now()
);
create index password_requests_due on iam.password_requests (next_attempt_at);
grant select, insert, update, delete on iam.password_requests to forecourt_iam;

-- Browsers in which a user has signed in before. Failures by strangers, for the account or from its address, do not block
-- them. Each counts its own failures for each user.
create table iam.known_browsers (
  token_hash bytea not null,
  customer_id bigint not null,
  user_id bigint not null,
  last_used_at timestamptz not null default app_now(),
  failures int not null default 0,
  last_failure_at timestamptz,
  blocked_until timestamptz,
  primary key (token_hash, customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
create index known_browsers_user on iam.known_browsers (customer_id, user_id, last_used_at);
grant select, insert, update, delete on iam.known_browsers to forecourt_iam;
