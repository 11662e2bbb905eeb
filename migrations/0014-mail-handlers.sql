-- How a customer's mails leave: through a provider or a mail server of its own, or not at all.
create table email_handlers (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  kind text not null check (kind in ('postmark', 'smtp', 'outbox')),
  -- Whom mails come from, and who gets the answers.
  from_name text,
  from_email text not null,
  reply_to text,
  smtp_host text,
  smtp_port integer,
  smtp_security text not null default 'starttls' check (smtp_security in ('tls', 'starttls', 'none')),
  smtp_user text,
  postmark_stream text,
  -- The password or the server token, sealed for the place it was given for.
  secret_sealed text,
  is_default boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
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

-- Who took a mail and under which number, and the furthest that was heard of it since. A handler that is gone leaves its
-- mails behind.
alter table outbox_mails
  add column handler_id bigint,
  add column message_id text,
  add column outcome text check (outcome in ('delivered', 'opened', 'clicked', 'bounced', 'complained')),
  add foreign key (customer_id, handler_id) references email_handlers (customer_id, id) on delete set null (handler_id);
create index outbox_mails_message on outbox_mails (customer_id, message_id) where message_id is not null;
create index outbox_mails_handler on outbox_mails (customer_id, handler_id) where handler_id is not null;

-- What a provider told of a mail. It may tell the same twice: `source_key` is the same then.
create table mail_events (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  mail_id bigint not null,
  -- Of the mail: who may see it may see this.
  organization_id bigint,
  kind text not null check (kind in ('delivered', 'opened', 'clicked', 'bounced', 'complained')),
  at timestamptz not null,
  detail text,
  source_key text not null,
  created_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, mail_id, source_key),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete cascade
);
call protect_tenant_table('mail_events', array['id'], by_organization => true, operations => 'select', audited => false);
create policy identity on mail_events to forecourt_iam using (true) with check (true);
grant select, insert on mail_events to forecourt_iam;

-- Addresses that mails are not sent to any more: one bounced for good, or its reader called it spam.
create table suppressed_addresses (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  reason text not null check (reason in ('bounced', 'complained')),
  detail text,
  created_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, email_key)
);
-- Of no rooftop: those who reach the whole customer see them.
call protect_tenant_table('suppressed_addresses', array['id'], operations => 'select, delete',
  narrowed_by => $rule$(select current_setting('app.reach', true)) = 'customer'$rule$);
create policy identity on suppressed_addresses to forecourt_iam using (true) with check (true);
grant select, insert on suppressed_addresses to forecourt_iam;

-- The same mail for readers that show pictures and colours; its link is sealed in it as in the text.
alter table outbox_mails add column html_sealed text;

-- A mail of the product in the customer's words: one row for each version, the highest is the one in use. Version 1 is
-- the product's own and is no row; a row that says so goes back to it.
create table email_templates (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  key text not null,
  version integer not null check (version > 1),
  is_own boolean not null default false,
  subject text not null,
  mjml text not null,
  plain_text text not null,
  created_at timestamptz not null default now(),
  created_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, key, version)
);
call protect_tenant_table('email_templates', array['key', 'version'], operations => 'select, insert');
create policy identity on email_templates to forecourt_iam using (true);
grant select on email_templates to forecourt_iam;
