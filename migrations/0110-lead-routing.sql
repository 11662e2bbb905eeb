-- Lead routing: where leads go, in which order rules decide about it, and what was delivered
-- (docs/decisions/0139-lead-routing.md, 0140-lead-deliveries.md).

-- Where leads can go.
create table lead_destinations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- user: becomes the owner. team: waits in the inbox for the first who accepts it.
  kind text not null check (kind in ('adf', 'email', 'webhook', 'user', 'team')),
  is_active boolean not null default true,
  to_email text,
  url text,
  user_id bigint,
  -- The most leads per day of the customer's time zone.
  daily_cap integer check (daily_cap > 0),
  -- Signs the calls of a webhook.
  secret_sealed text,
  -- Signs them too for a day after the secret was changed, so that the receiver has time to change it.
  former_secret_sealed text,
  former_secret_until timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete set null (user_id),
  check (kind not in ('adf', 'email') or to_email is not null),
  check (kind <> 'webhook' or url is not null)
);
create index lead_destinations_user on lead_destinations (customer_id, user_id) where user_id is not null;
create trigger touch before update on lead_destinations for each row execute function touch_row('name_key');
call protect_tenant_table('lead_destinations', array['id']);

-- Whether a destination works. Apart from it, so that deliveries don't change the version that users edit.
create table lead_destination_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  destination_id bigint not null,
  -- The first failed attempt since the last one that succeeded.
  failing_since timestamptz,
  -- No deliveries are attempted until a user starts it again.
  stopped_at timestamptz,
  stop_reason text,
  primary key (customer_id, destination_id),
  foreign key (customer_id, destination_id) references lead_destinations (customer_id, id) on delete cascade
);
call protect_tenant_table('lead_destination_states', array['destination_id'], audited => false);
create policy queue on lead_destination_states to forecourt_jobs using (true);
grant select (customer_id, destination_id, stopped_at) on lead_destination_states to forecourt_jobs;

-- Rules in order. What their conditions mean: contract/leads/routing/match-rule.ts.
create table lead_routing_rules (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- The smallest first; the catch-all rule is always last.
  position integer not null default 0,
  is_catch_all boolean not null default false,
  is_active boolean not null default true,
  lot_ids bigint[] not null default '{}',
  lead_types text[] not null default '{}',
  sources text[] not null default '{}',
  makes text[] not null default '{}',
  models text[] not null default '{}',
  price_from_cents integer check (price_from_cents >= 0),
  price_to_cents integer check (price_to_cents >= 0),
  campaigns text[] not null default '{}',
  form_ids bigint[] not null default '{}',
  postal_codes text[] not null default '{}',
  languages text[] not null default '{}',
  hours text not null default 'any' check (hours in ('any', 'open', 'closed', 'between')),
  -- On the lot's clock: 18:00.
  from_time text check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  until_time text check (until_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  trade_in text not null default 'any' check (trade_in in ('any', 'with', 'without')),
  condition text not null default '',
  strategy text not null default 'all' check (strategy in ('all', 'round-robin', 'weighted', 'least-recent', 'least-open', 'failover')),
  -- [{"destinationId", "weight"}], in order.
  targets jsonb not null default '[]' check (jsonb_typeof(targets) = 'array'),
  stops_here boolean not null default true,
  -- 30 days.
  dedupe_minutes integer not null default 43200 check (dedupe_minutes >= 0),
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  check (not is_catch_all or is_active)
);
create unique index lead_routing_rules_catch_all on lead_routing_rules (customer_id) where is_catch_all;
create trigger touch before update on lead_routing_rules for each row execute function touch_row('name_key');
call protect_tenant_table('lead_routing_rules', array['id']);

-- Who is next, in all rules of a customer: contract/leads/routing/choose-lead-destinations.ts. Locked by each lead in its own
-- transaction, so that a lead that is not stored moves nothing.
create table lead_routing_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  cursor jsonb not null default '{"turn": 0, "credits": {}, "last": {}, "day": "", "counts": {}}' check (jsonb_typeof(cursor) = 'object'),
  primary key (customer_id)
);
call protect_tenant_table('lead_routing_states', array['customer_id'], operations => 'select, update', audited => false);

-- Every customer starts with a rule that puts all leads into the inbox.
create function add_lead_routing() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  inbox bigint;
begin
  insert into lead_routing_states (customer_id) values (new.id);
  insert into lead_destinations (customer_id, name, kind, updated_by) values (new.id, 'Inbox', 'team', null) returning id into inbox;
  insert into lead_routing_rules (customer_id, name, is_catch_all, targets, updated_by)
  values (new.id, 'All other leads', true, jsonb_build_array(jsonb_build_object('destinationId', inbox::text, 'weight', 1)), null);
  return null;
end
$$;
create trigger lead_routing after insert on customers for each row execute function add_lead_routing();
insert into lead_routing_states (customer_id) select id from customers;
insert into lead_destinations (customer_id, name, kind) select id, 'Inbox', 'team' from customers;
insert into lead_routing_rules (customer_id, name, is_catch_all, targets)
select customer_id, 'All other leads', true, jsonb_build_array(jsonb_build_object('destinationId', id::text, 'weight', 1)) from lead_destinations;

-- Where each lead went when it was received, and why.
create table lead_routes (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  lead_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  at timestamptz not null default app_now(),
  -- The rules that sent it.
  rule_ids bigint[] not null default '{}',
  -- [{"destinationId", "name"}]
  destinations jsonb not null default '[]' check (jsonb_typeof(destinations) = 'array'),
  -- [{"ruleId", "name", "number", "outcome", "why"}]
  steps jsonb not null default '[]' check (jsonb_typeof(steps) = 'array'),
  primary key (customer_id, lead_id),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index lead_routes_latest on lead_routes (customer_id, at);
create index lead_routes_organization on lead_routes (customer_id, organization_id);
call protect_tenant_table('lead_routes', array['lead_id'], by_organization => true, operations => 'select, insert, update', audited => false);

-- Leads that could not be routed when they were received are routed later. Those from before there were rules are in the inbox.
update leads set status = 'delivered' where status = 'received' and not is_test;
create index leads_unrouted on leads (id) where status = 'received' and not is_test;
grant select (customer_id, id, status, is_test) on leads to forecourt_jobs;

-- A lead on its way to one destination. One in the outbox follows its email there; a webhook is leased here.
create table lead_deliveries (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- Null for a test.
  lead_id bigint,
  is_test boolean not null default false,
  destination_id bigint,
  destination_name text not null,
  kind text not null check (kind in ('adf', 'email', 'webhook')),
  -- The ID that every attempt repeats: in the ADF document, the Message-ID and the webhook-id.
  key uuid not null default gen_random_uuid(),
  state text not null default 'queued' check (state in ('queued', 'sending', 'delivered', 'in-doubt', 'failed')),
  attempts integer not null default 0,
  -- Attempts of servers that stopped before they recorded the result.
  doubts integer not null default 0,
  next_attempt_at timestamptz default app_now(),
  lease uuid,
  leased_until timestamptz,
  last_outcome text check (last_outcome in ('delivered', 'failed')),
  last_status integer,
  response text,
  mail_id bigint,
  -- Where the lead goes if this fails, in this order.
  next_destination_ids bigint[] not null default '{}',
  -- The result was noted in the timeline of the lead.
  is_settled boolean not null default false,
  created_at timestamptz not null default app_now(),
  finished_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade,
  foreign key (customer_id, destination_id) references lead_destinations (customer_id, id) on delete set null (destination_id),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id),
  check (is_test or lead_id is not null)
);
create index lead_deliveries_latest on lead_deliveries (customer_id, created_at desc, id desc);
create index lead_deliveries_due on lead_deliveries (next_attempt_at) where state in ('queued', 'sending') and mail_id is null;
create index lead_deliveries_unsettled on lead_deliveries (customer_id, id) where not is_settled and state in ('delivered', 'in-doubt', 'failed');
create index lead_deliveries_of_lead on lead_deliveries (customer_id, lead_id) where lead_id is not null;
create index lead_deliveries_of_destination on lead_deliveries (customer_id, destination_id, created_at) where destination_id is not null;
create unique index lead_deliveries_mail on lead_deliveries (customer_id, mail_id) where mail_id is not null;
create index lead_deliveries_organization on lead_deliveries (customer_id, organization_id) where organization_id is not null;
call protect_tenant_table('lead_deliveries', array['id'], by_organization => true, operations => 'select, insert, update', audited => false);
create policy queue on lead_deliveries to forecourt_jobs using (true) with check (true);
grant select (customer_id, id, kind, state, is_test, destination_id, mail_id, attempts, next_attempt_at, lease, leased_until, is_settled),
  update (state, attempts, lease, leased_until) on lead_deliveries to forecourt_jobs;

create table lead_delivery_attempts (
  customer_id bigint not null,
  delivery_id bigint not null,
  number integer not null,
  organization_id bigint,
  started_at timestamptz not null default app_now(),
  ended_at timestamptz,
  outcome text not null default 'sending' check (outcome in ('sending', 'delivered', 'failed', 'in-doubt')),
  status integer,
  response text,
  primary key (customer_id, delivery_id, number),
  foreign key (customer_id, delivery_id) references lead_deliveries (customer_id, id) on delete cascade
);
create index lead_delivery_attempts_organization on lead_delivery_attempts (customer_id, organization_id) where organization_id is not null;
call protect_tenant_table('lead_delivery_attempts', array['delivery_id', 'number'], by_organization => true, operations => 'select', audited => false);

-- Logs each attempt in the transaction that begins or ends it. A lease that is taken over belonged to a server that stopped
-- before it recorded the result: that attempt is in doubt.
create function log_lead_delivery() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.lease is not null and new.lease is distinct from old.lease then
    if new.lease is not null then
      new.doubts := old.doubts + 1;
    end if;
    update lead_delivery_attempts a set ended_at = app_now(),
      outcome = case when new.lease is null then coalesce(new.last_outcome, 'in-doubt') else 'in-doubt' end,
      status = case when new.lease is null then new.last_status end,
      response = case when new.lease is null then new.response end
    where a.customer_id = new.customer_id and a.delivery_id = new.id and a.outcome = 'sending';
    if new.lease is null and new.destination_id is not null then
      if new.last_outcome = 'delivered' then
        update lead_destination_states s set failing_since = null
        where s.customer_id = new.customer_id and s.destination_id = new.destination_id and s.failing_since is not null;
      else
        insert into lead_destination_states as s (customer_id, destination_id, failing_since)
        values (new.customer_id, new.destination_id, app_now())
        on conflict (customer_id, destination_id) do update set failing_since = coalesce(s.failing_since, app_now()),
          stopped_at = case when s.stopped_at is null and s.failing_since <= app_now() - interval '5 days' then app_now() else s.stopped_at end,
          stop_reason = case when s.stopped_at is null and s.failing_since <= app_now() - interval '5 days'
            then 'Every attempt failed for five days.' else s.stop_reason end;
      end if;
    end if;
  end if;
  if new.lease is not null and new.lease is distinct from old.lease then
    insert into lead_delivery_attempts (customer_id, delivery_id, number, organization_id)
    select new.customer_id, new.id, count(*) + 1, new.organization_id from lead_delivery_attempts a
    where a.customer_id = new.customer_id and a.delivery_id = new.id;
  end if;
  return new;
end
$$;
create trigger log before update of lease on lead_deliveries for each row execute function log_lead_delivery();

-- Emails with a schedule of their own: the seconds until the second, third and every later attempt. The last one is final, and
-- a server that can't be reached counts as an attempt.
alter table outbox_mails add column retry_waits integer[] check (cardinality(retry_waits) > 0);

-- A delivery by email follows its row of the outbox in the same transaction, so that the two never disagree.
create function follow_lead_mail() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.state = 'waiting' and new.lease is not null and new.lease is distinct from old.lease then
    update lead_deliveries set state = 'sending', lease = new.lease, leased_until = new.leased_until, attempts = new.attempts,
      next_attempt_at = new.next_attempt_at, last_outcome = null
    where customer_id = new.customer_id and mail_id = new.id;
  elsif new.outcome is distinct from old.outcome and new.outcome in ('bounced', 'complained') then
    update lead_deliveries set state = 'failed', is_settled = false, finished_at = app_now(), next_attempt_at = null,
      response = case new.outcome when 'bounced' then 'The email bounced.' else 'The email was reported as spam.' end
    where customer_id = new.customer_id and mail_id = new.id;
  elsif new.lease is distinct from old.lease or new.state <> old.state then
    update lead_deliveries d set
      lease = null, leased_until = null, attempts = new.attempts, is_settled = false,
      last_outcome = case new.state when 'sent' then 'delivered' when 'kept' then null else 'failed' end,
      -- An email that is held back while a server was sending it may have arrived.
      doubts = d.doubts + (new.state = 'kept' and new.lease is not null)::int,
      state = case when new.state = 'sent' then 'delivered' when new.state = 'waiting' then 'queued'
        when d.doubts > 0 or new.lease is not null then 'in-doubt' else 'failed' end,
      response = case new.state when 'sent' then 'Accepted by the mail server.'
        when 'kept' then 'Not sent: this customer sends no email.' else new.error end,
      next_attempt_at = case when new.state = 'waiting' then new.next_attempt_at end,
      finished_at = case when new.state <> 'waiting' then app_now() end
    where d.customer_id = new.customer_id and d.mail_id = new.id;
  end if;
  return null;
end
$$;
create trigger follow_lead_mail after update on outbox_mails for each row when (new.retry_waits is not null)
  execute function follow_lead_mail();
