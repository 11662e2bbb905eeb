-- A person is known by evidence: every address and number with the lead that gave it, who was joined and why, and who was told apart
-- (docs/decisions/0304-people-by-evidence.md).

-- How to reach a person. Each belongs to the row of the person that it came with, so that a merge can be split.
create table person_contacts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  person_id bigint not null,
  kind text not null check (kind in ('email', 'phone')),
  -- As the person writes it.
  value text not null,
  -- An email address in lowercase; a phone number as +19165550178, otherwise as it was written.
  value_key text not null,
  -- False: a placeholder such as 555-555-5555, or the address of who sent the lead for others.
  is_matching boolean not null default true,
  label text check (label in ('mobile', 'home', 'work', 'fax', 'other')),
  -- The lead that gave it. Null: a user entered it, or the person wrote from it.
  lead_id bigint,
  -- The one that users chose. Otherwise the one that the person used last is used.
  is_preferred boolean not null default false,
  first_seen_at timestamptz not null default app_now(),
  last_used_at timestamptz not null default app_now(),
  added_by text,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, person_id, kind, value_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, person_id) references people (customer_id, id) on delete cascade,
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete set null (lead_id)
);
create index person_contacts_key on person_contacts (customer_id, organization_id, value_key);
create index person_contacts_lead on person_contacts (customer_id, lead_id) where lead_id is not null;
create trigger touch before update on person_contacts for each row execute function touch_row();
call protect_tenant_table('person_contacts', array['id'], by_organization => true);

-- Two people of whom a user said that they aren't the same. They aren't offered as "Same buyer?" again.
create table person_distinctions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  one_id bigint not null,
  other_id bigint not null,
  at timestamptz not null default app_now(),
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, one_id, other_id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, one_id) references people (customer_id, id) on delete cascade,
  foreign key (customer_id, other_id) references people (customer_id, id) on delete cascade,
  check (one_id < other_id)
);
create index person_distinctions_organization on person_distinctions (customer_id, organization_id);
create index person_distinctions_other on person_distinctions (customer_id, other_id);
call protect_tenant_table('person_distinctions', array['id'], by_organization => true);

alter table person_merges
  -- The product did it when the lead came in; `reasons` says what agreed.
  add column is_automatic boolean not null default false,
  add column reasons text[] not null default '{}';

-- Two records with one name and one address may be one person.
alter table people add column name_key text generated always as (lower(name)) stored;
create index people_full_name on people (customer_id, organization_id, name_key) where name_key is not null;
drop trigger touch on people;
create trigger touch before update on people for each row execute function touch_row('email_key', 'name_key');

-- Whether an address sends leads for others is looked up for every lead.
-- (A column, because row level security doesn't let an index use lower().)
alter table lead_sources add column from_key text generated always as (lower(from_email)) stored;
create index lead_sources_sender on lead_sources (customer_id, from_key) where from_key is not null;

insert into person_contacts (customer_id, organization_id, person_id, kind, value, value_key, lead_id, first_seen_at, last_used_at)
select p.customer_id, p.organization_id, p.id, k.kind, k.value, k.value_key, f.id, coalesce(f.received_at, p.created_at),
  coalesce(f.received_at, p.created_at)
from people p
left join lateral (select l.id, l.received_at from leads l where l.customer_id = p.customer_id and l.person_id = p.id
  order by l.received_at, l.id limit 1) f on true
cross join lateral (values ('email', p.email, lower(p.email)), ('phone', p.phone, coalesce(p.phone_e164, lower(p.phone)))) k (kind, value, value_key)
where k.value is not null;

-- The other addresses and numbers that documents have.
insert into person_contacts (customer_id, organization_id, person_id, kind, value, value_key, lead_id, first_seen_at, last_used_at)
select l.customer_id, l.organization_id, l.person_id, k.kind, k.value, k.value_key, l.id, l.received_at, l.received_at
from leads l cross join lateral (
  select 'email' as kind, e ->> 'value' as value, lower(e ->> 'value') as value_key
  from jsonb_array_elements(l.document -> 'customer' -> 'contact' -> 'emails') e where (e ->> 'isValid')::boolean
  union all
  select 'phone', n ->> 'value', coalesce((select k from unnest(l.contact_keys) k where k like '+%'
    and right(k, 10) = right(regexp_replace(n ->> 'value', '\D', '', 'g'), 10) limit 1), lower(n ->> 'value'))
  from jsonb_array_elements(l.document -> 'customer' -> 'contact' -> 'phones') n) k
where l.document is not null
on conflict do nothing;

create or replace function erase_from_audit_log(erased_table text, erased_ids bigint[]) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update audit_log a set
    before = case when a.before is not null then '{"erased": true}'::jsonb end,
    after = case when a.after is not null then '{"erased": true}'::jsonb end
  where a.customer_id = nullif(current_setting('app.customer_id', true), '')::bigint
    and erased_table in ('leads', 'people', 'person_contacts', 'form_submissions', 'outbox_mails')
    and a.table_name = erased_table and a.row_id = any (erased_ids::text[])
$$;
