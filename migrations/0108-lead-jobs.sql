-- What happens to leads without a user: snoozes that end, leads that no one accepted, and retention
-- (docs/decisions/0137-time-of-leads.md, 0138-data-of-buyers.md).

-- Which customers delete old leads.
create policy queue on lead_settings to forecourt_jobs using (true);
grant select (customer_id, keep_months) on lead_settings to forecourt_jobs;

-- The vehicle that the buyer bought; `vehicle_id` is the one they asked about.
alter table leads add column sold_vehicle_id bigint,
  add constraint leads_sold_vehicle foreign key (customer_id, sold_vehicle_id) references vehicles (customer_id, id)
    on delete set null (sold_vehicle_id);
create index leads_of_sold_vehicle on leads (customer_id, sold_vehicle_id) where sold_vehicle_id is not null;

-- What figures need of deleted leads. Nothing in it points to a person: the time is rounded to the hour.
create table past_leads (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  lot_id bigint,
  owner_id bigint,
  source_name text not null,
  received_at timestamptz not null,
  is_answered boolean not null,
  is_late boolean not null,
  open_response_seconds integer,
  outcome text not null check (outcome in ('open', 'contacted', 'appointment', 'sold', 'lost')),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id),
  foreign key (customer_id, owner_id) references users (customer_id, id) on delete set null (owner_id)
);
create index past_leads_organization on past_leads (customer_id, organization_id, received_at);
create index past_leads_latest on past_leads (customer_id, received_at);
create index past_leads_lot on past_leads (customer_id, lot_id) where lot_id is not null;
create index past_leads_owner on past_leads (customer_id, owner_id) where owner_id is not null;
call protect_tenant_table('past_leads', array['id'], by_organization => true, operations => 'select, insert', audited => false);

-- Removes the content of rows of buyers from the audit log. Who changed them, when and by which call, stays.
create function erase_from_audit_log(erased_table text, erased_ids bigint[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update audit_log a set
    before = case when a.before is not null then '{"erased": true}'::jsonb end,
    after = case when a.after is not null then '{"erased": true}'::jsonb end
  where a.customer_id = nullif(current_setting('app.customer_id', true), '')::bigint
    and erased_table in ('leads', 'people', 'form_submissions', 'outbox_mails')
    and a.table_name = erased_table and a.row_id = any (erased_ids::text[])
$$;
revoke execute on function erase_from_audit_log(text, bigint[]) from public;
grant execute on function erase_from_audit_log(text, bigint[]) to forecourt_app;

-- What the owner of a lead is emailed about, until the email is in the outbox or there is nothing left to say.
create table lead_notices (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  lead_id bigint not null,
  -- assigned: they have to accept it. reply: the buyer answered.
  kind text not null check (kind in ('assigned', 'reply')),
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  user_id bigint not null,
  primary key (customer_id, lead_id, kind),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
create index lead_notices_organization on lead_notices (customer_id, organization_id);
create index lead_notices_user on lead_notices (customer_id, user_id);
call protect_tenant_table('lead_notices', array['lead_id', 'kind'], by_organization => true, audited => false);
create policy queue on lead_notices to forecourt_jobs using (true);
grant select (customer_id) on lead_notices to forecourt_jobs;

-- Users who don't want these emails.
create table lead_notice_settings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  is_on boolean not null,
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
call protect_tenant_table('lead_notice_settings', array['user_id'], operations => 'select, insert, update');
