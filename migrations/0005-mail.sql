-- How a customer's emails are sent: through a provider, through an SMTP server, or not at all.
create table email_handlers (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null check (kind in ('postmark', 'smtp', 'outbox')),
  -- The sender, and the address for replies.
  from_name text,
  from_email text not null,
  reply_to text,
  smtp_host text,
  smtp_port integer,
  smtp_security text not null default 'starttls' check (smtp_security in ('tls', 'starttls', 'none')),
  smtp_user text,
  postmark_stream text,
  -- The password or server token, sealed for the server it was given for.
  secret_sealed text,
  is_default boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  check (kind <> 'smtp' or (smtp_host is not null and smtp_port is not null))
);
create unique index email_handlers_default on email_handlers (customer_id) where is_default;
create trigger touch before update on email_handlers for each row execute function touch_row('name_key');
call protect_tenant_table('email_handlers', array['id']);
create policy identity on email_handlers to forecourt_iam using (true);
grant select on email_handlers to forecourt_iam;

-- Emails written by the product. Bodies are sealed because some contain a link that sets a password. Emails are leased while
-- they are sent, like jobs: a second server skips them, and none is lost when a server is killed.
create table outbox_mails (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The organization whose users see it; null if it needs customer-wide reach.
  organization_id bigint,
  -- The recipient, if it is a user.
  user_id bigint,
  to_name text not null,
  to_email text not null,
  subject text not null,
  text_sealed text not null,
  has_secret boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'kept', 'sent', 'failed')),
  attempts integer not null default 0,
  error text,
  next_attempt_at timestamptz default app_now(),
  sent_at timestamptz,
  -- When the link in it expires; null if it has none.
  expires_at timestamptz,
  created_at timestamptz not null default app_now(),
  -- The handler that sent it, the provider's ID for it, and the latest delivery event. Emails outlive their handler.
  handler_id bigint,
  message_id text,
  outcome text check (outcome in ('delivered', 'opened', 'clicked', 'bounced', 'complained')),
  -- The HTML version.
  html_sealed text,
  -- Part of the Message-ID. Not the row's ID, which repeats in other installations and after a restore.
  message_key uuid not null default gen_random_uuid(),
  -- Repeats until something is done; the email says how to stop that.
  is_reminder boolean not null default false,
  lease uuid,
  leased_until timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id) on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade,
  foreign key (customer_id, handler_id) references email_handlers (customer_id, id) on delete set null (handler_id)
);
create index outbox_mails_latest on outbox_mails (customer_id, created_at desc, id desc);
create index outbox_mails_person on outbox_mails (customer_id, user_id, created_at desc);
create index outbox_mails_due on outbox_mails (next_attempt_at) where state = 'waiting';
create index outbox_mails_failed on outbox_mails (customer_id) where state = 'failed';
call protect_tenant_table('outbox_mails', array['id'], by_organization => true, operations => 'select, insert, update');
create policy identity on outbox_mails to forecourt_iam using (true) with check (true);
grant select, insert, update on outbox_mails to forecourt_iam;
create index outbox_mails_message on outbox_mails (customer_id, message_id) where message_id is not null;
create index outbox_mails_handler on outbox_mails (customer_id, handler_id) where handler_id is not null;
create index outbox_mails_organization on outbox_mails (customer_id, organization_id) where organization_id is not null;

-- Events reported by a provider. It may report one twice, with the same `source_key`.
create table mail_events (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  mail_id bigint not null,
  -- The organization of the email.
  organization_id bigint,
  kind text not null check (kind in ('delivered', 'opened', 'clicked', 'bounced', 'complained')),
  at timestamptz not null,
  detail text,
  source_key text not null,
  created_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  unique (customer_id, mail_id, source_key),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete cascade
);
call protect_tenant_table('mail_events', array['id'], by_organization => true, operations => 'select', audited => false);
create policy identity on mail_events to forecourt_iam using (true) with check (true);
grant select, insert on mail_events to forecourt_iam;

-- Addresses that get no more emails because one bounced permanently or was reported as spam.
create table suppressed_addresses (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  reason text not null check (reason in ('bounced', 'complained')),
  detail text,
  created_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  unique (customer_id, email_key)
);

-- They belong to no organization and need customer-wide reach.
call protect_tenant_table('suppressed_addresses', array['id'], operations => 'select, delete',
  narrowed_by => $rule$(select current_setting('app.reach', true)) = 'customer'$rule$);
create policy identity on suppressed_addresses to forecourt_iam using (true) with check (true);
grant select, insert on suppressed_addresses to forecourt_iam;

-- A customer's version of an email, one row per version; the highest is used. Version 1 is the built-in one and has no row.
-- A row with is_own restores the built-in text.
create table email_templates (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  key text not null,
  version integer not null check (version > 1),
  is_own boolean not null default false,
  subject text not null,
  mjml text not null,
  plain_text text not null,
  created_at timestamptz not null default app_now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, key, version)
);
call protect_tenant_table('email_templates', array['key', 'version'], operations => 'select, insert');
create policy identity on email_templates to forecourt_iam using (true);
grant select on email_templates to forecourt_iam;
