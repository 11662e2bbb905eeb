-- Addresses that lead providers send leads to: ADF documents by HTTP, and emails by a provider of inbound email.
create table inbound_addresses (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- That of the lot.
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  label text not null,
  label_key text not null generated always as (lower(label)) stored,
  -- The source of its leads, as users know it: "AutoTrader".
  source_name text not null,
  -- Null: the lot was deleted, and leads go to the organization's first lot.
  lot_id bigint,
  -- Hash of the token in its URLs. The token is shown once and not stored. Null: it was revoked.
  token_hash text,
  token_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, label_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id)
);
create index inbound_addresses_lot on inbound_addresses (customer_id, lot_id);
create trigger touch before update on inbound_addresses for each row execute function touch_row('label_key');
call protect_tenant_table('inbound_addresses', array['id'], by_organization => true);

-- What arrived at an address, once each, also if it could not be read. Its text is in lead_sources and is deleted with it.
create table inbound_messages (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  address_id bigint not null,
  source_id bigint not null,
  kind text not null check (kind in ('adf', 'email')),
  -- received: it is one or more leads. reply: part of a lead's conversation. ignored: an automatic email.
  state text not null check (state in ('received', 'reply', 'ignored', 'quarantined')),
  -- A sentence: why it is ignored or needs review, or what was left out.
  reason text,
  -- The text that a user corrected; the original is in lead_sources. And who read it again or dismissed it.
  corrected_text text,
  reviewed_by text,
  -- Its leads are test leads.
  is_test boolean not null default false,
  received_at timestamptz not null default app_now(),
  -- The same content again, within a day, or the same email.
  repeats integer not null default 0,
  last_repeated_at timestamptz,
  content_hash text not null,
  -- The ID of the webhook's email, and the Message-ID of its sender.
  webhook_id text,
  message_id text,
  subject text,
  encoding text,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, address_id) references inbound_addresses (customer_id, id) on delete cascade,
  foreign key (customer_id, source_id) references lead_sources (customer_id, id) on delete cascade
);
create index inbound_messages_of_address on inbound_messages (customer_id, address_id, received_at desc, id desc);
create index inbound_messages_latest on inbound_messages (customer_id, received_at desc, id desc);
create index inbound_messages_to_review on inbound_messages (customer_id, received_at desc) where state = 'quarantined';
create index inbound_messages_content on inbound_messages (customer_id, address_id, content_hash, received_at desc);
create unique index inbound_messages_webhook on inbound_messages (customer_id, address_id, webhook_id) where webhook_id is not null;
create index inbound_messages_message_id on inbound_messages (customer_id, address_id, message_id) where message_id is not null;
create index inbound_messages_source on inbound_messages (customer_id, source_id);
create index inbound_messages_organization on inbound_messages (customer_id, organization_id);
call protect_tenant_table('inbound_messages', array['id'], by_organization => true, operations => 'select, insert, update', audited => false);

-- The leads of a message, in its order; of a reply, the lead it belongs to.
create table inbound_message_leads (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  message_id bigint not null,
  place integer not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  lead_id bigint not null,
  -- False: the provider had sent this lead before.
  is_new boolean not null,
  primary key (customer_id, message_id, place),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, message_id) references inbound_messages (customer_id, id) on delete cascade,
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade
);
create index inbound_message_leads_lead on inbound_message_leads (customer_id, lead_id);
create index inbound_message_leads_organization on inbound_message_leads (customer_id, organization_id);
call protect_tenant_table('inbound_message_leads', array['message_id', 'place'], by_organization => true, operations => 'select, insert', audited => false);

-- An email or a lead that we sent ourselves and that comes back is recognized by its key.
create index outbox_mails_key on outbox_mails (customer_id, message_key);
create index lead_deliveries_key on lead_deliveries (customer_id, key);

-- A text that is no lead's is deleted after some time: by the job role, for all customers.
create index lead_sources_received on lead_sources (received_at);
create policy queue on lead_sources to forecourt_jobs using (true);
create policy queue on inbound_messages to forecourt_jobs using (true);
create policy queue on inbound_message_leads to forecourt_jobs using (true);
grant select (customer_id, id, received_at), delete on lead_sources to forecourt_jobs;
grant select (customer_id, id, source_id) on inbound_messages to forecourt_jobs;
grant select (customer_id, message_id) on inbound_message_leads to forecourt_jobs;
grant select (customer_id, source_id) on leads to forecourt_jobs;

-- A deleted lead takes the texts along that it came in, also those that came again.
create function delete_inbound_text() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.lead_sources s using public.inbound_messages m
  where m.customer_id = old.customer_id and m.id = old.message_id and s.customer_id = m.customer_id and s.id = m.source_id;
  return null;
end
$$;
create trigger delete_text after delete on inbound_message_leads for each row execute function delete_inbound_text();
