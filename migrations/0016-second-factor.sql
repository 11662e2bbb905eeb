-- Second factors. As with passwords and sessions, identity's role alone reads them.
alter table user_types add column requires_second_factor boolean not null default false;
-- Beside the person, for those who administer people and may not look into iam.
alter table user_access add column authenticator_at timestamptz;

create table iam.authenticators (
  customer_id bigint not null,
  user_id bigint not null,
  secret_sealed text not null,
  -- Null until its first code came: so far nobody is asked for it.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken. Neither that one nor an older one is taken again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
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

-- The one code that was mailed to a person last. Sealed and not hashed: while it is good it can be mailed once more.
create table iam.mail_codes (
  customer_id bigint not null,
  user_id bigint not null,
  code_sealed text not null,
  -- The address it went to: it is good for no other.
  email_key text not null,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);

-- Browsers on which the second factor is not asked for. One browser holds one secret, whoever signs in there.
create table iam.trusted_devices (
  id uuid primary key default gen_random_uuid(),
  customer_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  user_agent text,
  ip text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (token_hash, customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
create index trusted_devices_user on iam.trusted_devices (customer_id, user_id);
grant select, insert, update, delete on iam.authenticators, iam.backup_codes, iam.mail_codes, iam.trusted_devices
  to forecourt_iam;

-- Wrong codes are counted apart from wrong passwords: the right password must not forgive them.
alter table iam.sign_in_failures drop constraint sign_in_failures_kind_check,
  add constraint sign_in_failures_kind_check check (kind in ('account', 'address', 'factor'));
