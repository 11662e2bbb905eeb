-- DVP campaigns: one email to people who agreed to marketing (docs/decisions/0317-campaigns.md).
create table campaigns (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- The store that sends it. Its organization is the campaign's.
  lot_id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- The value of utm_campaign, and the key of the short URL.
  code text not null check (code ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(code) between 2 and 40),
  -- Null: the customer's default.
  handler_id bigint,
  subject text not null default '',
  headline text not null default '',
  text text not null default '',
  vehicle_ids bigint[] not null default '{}' check (cardinality(vehicle_ids) <= 12),
  button text not null default '',
  page_id bigint,
  disclaimer text,
  -- Which leads their people sent (contract/marketing/campaigns/audience.ts).
  audience jsonb not null check (jsonb_typeof(audience) = 'object'),
  -- In the time zone of the lot.
  send_on date,
  send_at text not null default '09:00' check (send_at ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- Days of the week from Monday (1) to Sunday (7), and the times of day between which it sends.
  weekdays integer[] not null default '{1,2,3,4,5,6}' check (cardinality(weekdays) between 1 and 7 and weekdays <@ '{1,2,3,4,5,6,7}'),
  window_from text not null default '09:00' check (window_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  window_to text not null default '18:00' check (window_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  per_hour integer not null default 500 check (per_hour between 1 and 20000),
  -- The sending domain is new: few emails on the first day, and twice as many on each later one.
  ramps_up boolean not null default false,
  state text not null default 'draft' check (state in ('draft', 'scheduled', 'sending', 'paused', 'stopped', 'finished')),
  -- Why it is paused or stopped, if no person did it.
  reason text check (reason in ('missed', 'restored', 'bounces', 'complaints', 'vehicles')),
  short_url_id bigint,
  scheduled_at timestamptz,
  scheduled_by text,
  -- When the first email may leave.
  starts_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  unique (customer_id, code),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lot_id) references lots (customer_id, id),
  foreign key (customer_id, handler_id) references email_handlers (customer_id, id) on delete set null (handler_id),
  foreign key (customer_id, page_id) references promo_pages (customer_id, id) on delete set null (page_id),
  foreign key (customer_id, short_url_id) references short_urls (customer_id, id) on delete set null (short_url_id),
  check (window_from < window_to)
);
create index campaigns_organization on campaigns (customer_id, organization_id, name);
create index campaigns_lot on campaigns (customer_id, lot_id);
create index campaigns_handler on campaigns (customer_id, handler_id) where handler_id is not null;
create index campaigns_page on campaigns (customer_id, page_id) where page_id is not null;
create index campaigns_short_url on campaigns (customer_id, short_url_id) where short_url_id is not null;
create trigger touch before update on campaigns for each row execute function touch_row('name_key');
call protect_tenant_table('campaigns', array['id'], by_organization => true);

-- When a campaign sends next, and which server does it. A row of its own, so that leases are no changes of the campaign.
create table campaign_states (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  campaign_id bigint not null,
  organization_id bigint not null,
  next_at timestamptz,
  failures integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  primary key (customer_id, campaign_id),
  foreign key (customer_id, campaign_id) references campaigns (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index campaign_states_due on campaign_states (next_at) where next_at is not null;
create index campaign_states_organization on campaign_states (customer_id, organization_id);
call protect_tenant_table('campaign_states', array['campaign_id'], by_organization => true, audited => false);
create policy queue on campaign_states to forecourt_jobs using (true) with check (true);
grant select (customer_id, campaign_id, next_at, failures, lease, leased_until), update (next_at, failures, lease, leased_until)
  on campaign_states to forecourt_jobs;

-- Everyone a campaign is for, from the moment it begins to send: a row for each address.
create table campaign_recipients (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  campaign_id bigint not null,
  id bigint generated always as identity,
  organization_id bigint not null,
  person_id bigint,
  name text,
  email text not null,
  -- queued: its turn comes. mailed: its email is in the outbox, which says what became of it. left-out: never mailed.
  state text not null default 'queued' check (state in ('queued', 'mailed', 'left-out')),
  reason text check (reason in ('email', 'placeholder', 'suppressed', 'consent', 'declined', 'revoked', 'gone', 'stopped')),
  -- In the links of its email.
  link_key text not null default replace(gen_random_uuid()::text, '-', ''),
  mail_id bigint,
  -- The vehicles in its email with their total prices then: [{"id", "title", "cents"}].
  vehicles jsonb not null default '[]' check (jsonb_typeof(vehicles) = 'array'),
  mailed_at timestamptz,
  unsubscribed_at timestamptz,
  primary key (customer_id, id),
  unique (customer_id, campaign_id, person_id),
  unique (customer_id, link_key),
  foreign key (customer_id, campaign_id) references campaigns (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, person_id) references people (customer_id, id) on delete set null (person_id),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id)
);
create index campaign_recipients_of on campaign_recipients (customer_id, campaign_id, id);
create index campaign_recipients_queued on campaign_recipients (customer_id, campaign_id, id) where state = 'queued';
create index campaign_recipients_person on campaign_recipients (customer_id, person_id) where person_id is not null;
create index campaign_recipients_mail on campaign_recipients (customer_id, mail_id) where mail_id is not null;
create index campaign_recipients_organization on campaign_recipients (customer_id, organization_id);
call protect_tenant_table('campaign_recipients', array['id'], by_organization => true, audited => false);

-- Clicks on the links of its emails.
create table campaign_clicks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  campaign_id bigint not null,
  id bigint generated always as identity,
  organization_id bigint not null,
  recipient_id bigint not null,
  -- Null: the button.
  vehicle_id bigint,
  at timestamptz not null default app_now(),
  kind text not null check (kind in ('person', 'suspect', 'bot')),
  -- Why it isn't a person.
  evidence text check (evidence in ('scanner', 'program', 'burst', 'early')),
  primary key (customer_id, id),
  foreign key (customer_id, recipient_id) references campaign_recipients (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index campaign_clicks_recipient on campaign_clicks (customer_id, recipient_id);
create index campaign_clicks_campaign on campaign_clicks (customer_id, campaign_id);
create index campaign_clicks_organization on campaign_clicks (customer_id, organization_id);
call protect_tenant_table('campaign_clicks', array['id'], by_organization => true, operations => 'select, insert', audited => false);

-- Users who may do something with forms may do the same with campaigns.
call grant_function(29, same_as => 28);

-- A campaign belongs to the organization of its lot.
create function place_campaign() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.organization_id := coalesce((select l.organization_id from lots l where l.customer_id = new.customer_id and l.id = new.lot_id),
    new.organization_id);
  return new;
end
$$;
create trigger place before insert or update of lot_id on campaigns for each row execute function place_campaign();

-- What is due follows from the state.
create function queue_campaign() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into campaign_states (customer_id, campaign_id, organization_id, next_at)
  values (new.customer_id, new.id, new.organization_id,
    case new.state when 'scheduled' then new.starts_at when 'sending' then app_clock_timestamp() end)
  on conflict (customer_id, campaign_id) do update set organization_id = excluded.organization_id, next_at = excluded.next_at;
  return null;
end
$$;
create trigger queue after insert or update of state, starts_at, organization_id on campaigns for each row execute function queue_campaign();
