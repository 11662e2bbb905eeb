-- Leads: inquiries of buyers, with the person, the conversation and the consents. All of it belongs to one organization:
-- a sister store never sees it.

-- Buyers. One organization's person is not another one's, even with the same email address.
create table people (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- As the person writes it.
  name text,
  first_name text,
  last_name text,
  email text,
  email_key text generated always as (lower(email)) stored,
  -- As entered, and in E.164 if it is a possible number: +19165550178.
  phone text,
  phone_e164 text check (phone_e164 ~ '^\+[1-9][0-9]{6,14}$'),
  street text,
  city text,
  region text,
  postal_code text,
  country text,
  language text,
  preferred_contact text check (preferred_contact in ('email', 'call', 'text')),
  -- "Weekday afternoons".
  contact_time text,
  -- The person who is shown instead, never one who is merged too. See person_merges.
  merged_into_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, merged_into_id) references people (customer_id, id),
  check (merged_into_id <> id)
);
create index people_email on people (customer_id, organization_id, email_key) where email_key is not null;
create index people_phone on people (customer_id, organization_id, phone_e164) where phone_e164 is not null;
create index people_merged on people (customer_id, merged_into_id) where merged_into_id is not null;
create index people_name on people (customer_id, organization_id, lower(last_name));
create trigger touch before update on people for each row execute function touch_row('email_key');
call protect_tenant_table('people', array['id'], by_organization => true);

-- What was merged, so that it can be undone: the details that the kept person got from the other one.
create table person_merges (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  kept_id bigint not null,
  merged_id bigint not null,
  -- Columns of the kept person that were empty and were filled from the other one.
  filled text[] not null default '{}',
  at timestamptz not null default app_now(),
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  undone_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, kept_id) references people (customer_id, id) on delete cascade,
  foreign key (customer_id, merged_id) references people (customer_id, id) on delete cascade
);
create index person_merges_organization on person_merges (customer_id, organization_id);
create index person_merges_kept on person_merges (customer_id, kept_id);
create index person_merges_merged on person_merges (customer_id, merged_id);
call protect_tenant_table('person_merges', array['id'], by_organization => true, operations => 'select, insert, update');

-- The text that a lead came in, exactly as received: an ADF document or an email.
create table lead_sources (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  received_at timestamptz not null default app_now(),
  content_type text not null,
  raw text not null,
  -- What was corrected or left out while it was read: [{"code", "message", "path"}].
  warnings jsonb not null default '[]' check (jsonb_typeof(warnings) = 'array'),
  -- The sender's address, if it came by email.
  from_email text,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index lead_sources_organization on lead_sources (customer_id, organization_id, received_at);
call protect_tenant_table('lead_sources', array['id'], by_organization => true, audited => false);

create table leads (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  lot_id bigint,
  person_id bigint not null,
  type text not null check (type in ('new', 'used', 'trade-in', 'finance', 'service', 'parts', 'general')),
  source_kind text not null check (source_kind in ('form', 'adf-http', 'adf-mail', 'email', 'manual', 'api')),
  -- The provider as users know it: "AutoTrader", "Website form".
  source_name text not null,
  source_key text not null generated always as (lower(source_name)) stored,
  -- The text it came in; null if it came from a form or was added by hand.
  source_id bigint,
  -- The provider's ID for it.
  external_id text,
  form_id bigint,
  submission_id bigint,
  -- The vehicle of interest, if it is in stock; its title and total price as the buyer saw them.
  vehicle_id bigint,
  vehicle_title text,
  vehicle_price_cents bigint,
  -- The vehicle as the buyer asked for it: {"vin", "stock", "year", "make", "model", "trim", "condition"}.
  asked_vehicle jsonb not null default '{}' check (jsonb_typeof(asked_vehicle) = 'object'),
  -- {"vin", "year", "make", "model", "trim", "mileage", "condition"}; null without a trade-in.
  trade_in jsonb check (jsonb_typeof(trade_in) = 'object'),
  comments text,
  -- Campaign parameters such as utm_source, and where the buyer was.
  campaign jsonb not null default '{}' check (jsonb_typeof(campaign) = 'object'),
  page_url text,
  referrer text,
  language text,
  status text not null default 'received'
    check (status in ('received', 'routed', 'delivered', 'failed', 'quarantined', 'duplicate')),
  -- Why it is in quarantine.
  suspicions text[] not null default '{}',
  -- A test lead is counted nowhere.
  is_test boolean not null default false,
  duplicate_of_id bigint,
  received_at timestamptz not null default app_now(),
  -- Who works on it, since when, and by when they have to accept it.
  owner_id bigint,
  assigned_at timestamptz,
  accept_by timestamptz,
  accepted_at timestamptz,
  -- Who gets it next if its owner doesn't accept it, in this order.
  next_owner_ids bigint[] not null default '{}',
  -- When a person has to have answered: the response goal in the opening hours of the lot.
  respond_by timestamptz,
  -- The first answer of a person. Automatic replies are none.
  first_response_at timestamptz,
  first_response_by text,
  first_response_channel text check (first_response_channel in ('email', 'call')),
  -- Seconds from receipt to the first response, and those of them in which the lot was open.
  response_seconds integer,
  open_response_seconds integer,
  -- When the buyer wrote and no one has answered yet.
  unanswered_since timestamptz,
  snoozed_until timestamptz,
  outcome text not null default 'open' check (outcome in ('open', 'contacted', 'appointment', 'sold', 'lost')),
  -- Only when it was lost.
  lost_reason text,
  appointment_at timestamptz,
  outcome_at timestamptz,
  -- The deadline of a lead that waits for its first response. Null: it doesn't wait, or not now.
  waits_until timestamptz generated always as (
    case when first_response_at is null and outcome = 'open' and snoozed_until is null and not is_test
      and status not in ('quarantined', 'duplicate') then respond_by end) stored,
  -- When the product has to act: return it to the next person, or end the snooze.
  next_step_at timestamptz generated always as (
    least(case when owner_id is not null and accepted_at is null and first_response_at is null and outcome = 'open'
      and status not in ('quarantined', 'duplicate') then accept_by end, snoozed_until)) stored,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id),
  foreign key (customer_id, person_id) references people (customer_id, id),
  foreign key (customer_id, source_id) references lead_sources (customer_id, id) on delete set null (source_id),
  foreign key (customer_id, form_id) references forms (customer_id, id) on delete set null (form_id),
  foreign key (customer_id, submission_id) references form_submissions (customer_id, id) on delete set null (submission_id),
  foreign key (customer_id, vehicle_id) references vehicles (customer_id, id) on delete set null (vehicle_id),
  foreign key (customer_id, owner_id) references users (customer_id, id) on delete set null (owner_id),
  foreign key (customer_id, duplicate_of_id) references leads (customer_id, id) on delete set null (duplicate_of_id),
  check ((lost_reason is null) or outcome = 'lost')
);
create index leads_latest on leads (customer_id, received_at desc, id desc) include (organization_id);
create index leads_of_organization on leads (customer_id, organization_id, received_at desc, id desc);
create index leads_waiting on leads (customer_id, waits_until, id) where waits_until is not null;
create index leads_next_step on leads (next_step_at) where next_step_at is not null;
create index leads_of_person on leads (customer_id, person_id, received_at desc);
create index leads_of_lot on leads (customer_id, lot_id);
create index leads_of_vehicle on leads (customer_id, vehicle_id) where vehicle_id is not null;
create index leads_of_owner on leads (customer_id, owner_id) where owner_id is not null;
create index leads_of_form on leads (customer_id, form_id) where form_id is not null;
create index leads_of_source on leads (customer_id, source_id) where source_id is not null;
create index leads_duplicates on leads (customer_id, duplicate_of_id) where duplicate_of_id is not null;
create unique index leads_submission on leads (customer_id, submission_id) where submission_id is not null;
-- A provider that sends a lead again means the same lead.
create unique index leads_external on leads (customer_id, organization_id, source_key, external_id) where external_id is not null;
create trigger touch before update on leads for each row execute function touch_row('source_key', 'waits_until', 'next_step_at');
call protect_tenant_table('leads', array['id'], by_organization => true);
create policy queue on leads to forecourt_jobs using (true);
grant select (customer_id, next_step_at) on leads to forecourt_jobs;

-- What happened to a lead, in order. Never changed.
create table lead_events (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  lead_id bigint not null,
  at timestamptz not null default app_now(),
  kind text not null check (kind in ('received', 'duplicate', 'quarantined', 'released', 'routed', 'delivery', 'consent',
    'message-in', 'message-out', 'auto-reply', 'opened', 'viewed', 'call', 'note', 'assigned', 'accepted', 'returned',
    'escalated', 'snoozed', 'woken', 'outcome', 'merged', 'unmerged', 'changed')),
  -- Null: the product did it.
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  -- By kind: contract/leads/leads/lead-events.ts.
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade
);
create index lead_events_of_lead on lead_events (customer_id, lead_id, at, id);
create index lead_events_organization on lead_events (customer_id, organization_id);
call protect_tenant_table('lead_events', array['id'], by_organization => true, operations => 'select, insert', audited => false);

-- Emails between the store and the buyer. Outgoing ones are sent by the outbox.
create table lead_messages (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  lead_id bigint not null,
  direction text not null check (direction in ('in', 'out')),
  -- Written by the product, such as a form's automatic reply: not a response.
  is_automatic boolean not null default false,
  at timestamptz not null default app_now(),
  from_name text,
  from_email text,
  to_email text,
  subject text not null default '',
  text text not null,
  -- Without angle brackets.
  message_id text,
  in_reply_to text,
  -- The row of the outbox, for its delivery status.
  mail_id bigint,
  by_user_id bigint,
  by_name text,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade,
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id),
  foreign key (customer_id, by_user_id) references users (customer_id, id) on delete set null (by_user_id)
);
create index lead_messages_of_lead on lead_messages (customer_id, lead_id, at, id);
-- A provider may deliver an email twice.
create unique index lead_messages_id on lead_messages (customer_id, lead_id, direction, message_id) where message_id is not null;
create index lead_messages_organization on lead_messages (customer_id, organization_id);
create index lead_messages_mail on lead_messages (customer_id, mail_id) where mail_id is not null;
create index lead_messages_user on lead_messages (customer_id, by_user_id) where by_user_id is not null;
call protect_tenant_table('lead_messages', array['id'], by_organization => true, operations => 'select, insert', audited => false);

-- What a person agreed to, with the exact text, and what they revoked. Facts in order, never changed: the latest one counts.
create table consent_events (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  -- The seller who may contact the person.
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  person_id bigint not null,
  lead_id bigint,
  at timestamptz not null default app_now(),
  kind text not null check (kind in ('given', 'declined', 'revoked')),
  purpose text not null check (purpose in ('inquiry', 'marketing', 'privacy')),
  channel text not null check (channel in ('email', 'call', 'text')),
  -- The wording that was agreed to, or how it was revoked.
  text text not null,
  text_version integer,
  language text,
  seller text,
  page_url text,
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, person_id) references people (customer_id, id) on delete cascade,
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete set null (lead_id)
);
create index consent_events_of_person on consent_events (customer_id, person_id, channel, purpose, at desc, id desc);
create index consent_events_of_lead on consent_events (customer_id, lead_id) where lead_id is not null;
create index consent_events_organization on consent_events (customer_id, organization_id);
call protect_tenant_table('consent_events', array['id'], by_organization => true, operations => 'select, insert', audited => false);

-- How fast leads are answered and how long they are kept. Null in the row of a lot: as in the row of the whole customer.
create table lead_settings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  response_minutes integer not null default 15 check (response_minutes between 1 and 1440),
  -- After this time without being accepted, a lead goes to the next person. Null: never.
  accept_minutes integer default 5 check (accept_minutes between 1 and 1440),
  -- Where emails of buyers arrive, at a provider of inbound email. The token of a lead is added to it: in+TOKEN@example.com.
  -- Null: they answer to the address of the email handler.
  reply_address text,
  -- Leads are deleted this many months after the last contact. Null: never.
  keep_months integer check (keep_months between 1 and 240),
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id)
);
create trigger touch before update on lead_settings for each row execute function touch_row();
call protect_tenant_table('lead_settings', array['customer_id'], operations => 'select, insert, update');

create table lot_lead_settings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  lot_id bigint not null,
  organization_id bigint not null,
  response_minutes integer check (response_minutes between 1 and 1440),
  -- Gets leads that no one accepted.
  manager_id bigint,
  primary key (customer_id, lot_id),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, manager_id) references users (customer_id, id) on delete set null (manager_id)
);
create index lot_lead_settings_organization on lot_lead_settings (customer_id, organization_id);
create index lot_lead_settings_manager on lot_lead_settings (customer_id, manager_id) where manager_id is not null;
call protect_tenant_table('lot_lead_settings', array['lot_id'], by_organization => true);
