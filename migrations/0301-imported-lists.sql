-- Lists of people for campaigns, with what proves that they agreed (docs/decisions/0320-imported-lists.md).
create table imported_lists (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- The store that people are asked for.
  lot_id bigint not null,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  file_name text not null,
  -- In the file, below the header.
  row_count integer not null,
  invalid_count integer not null,
  duplicate_count integer not null,
  -- What was wrong in which row, without what it says: [{"row", "text"}]. Only the first thousand.
  problems jsonb not null default '[]' check (jsonb_typeof(problems) = 'array'),
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lot_id) references lots (customer_id, id)
);
create index imported_lists_organization on imported_lists (customer_id, organization_id);
create index imported_lists_lot on imported_lists (customer_id, lot_id);
create trigger touch before update on imported_lists for each row execute function touch_row('name_key');
call protect_tenant_table('imported_lists', array['id'], by_organization => true);

-- Each address of a list once. Name and address are those of the person.
create table imported_list_people (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  list_id bigint not null,
  id bigint generated always as identity,
  organization_id bigint not null,
  person_id bigint not null,
  row_number integer not null,
  -- The person came with this list.
  is_new boolean not null,
  -- The proof of consent: how it was given, and when. Both or none.
  consent_source text,
  consent_on date,
  -- In the link of the email that asks.
  link_key text not null default replace(gen_random_uuid()::text, '-', ''),
  mail_id bigint,
  requested_at timestamptz,
  -- When the others were asked, this address was suppressed, or a word about emails was known already.
  is_skipped boolean not null default false,
  answered_at timestamptz,
  answer text check (answer in ('yes', 'no')),
  primary key (customer_id, id),
  unique (customer_id, list_id, person_id),
  unique (customer_id, link_key),
  foreign key (customer_id, list_id) references imported_lists (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, person_id) references people (customer_id, id) on delete cascade,
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id),
  check ((consent_source is null) = (consent_on is null)),
  check ((answered_at is null) = (answer is null))
);
create index imported_list_people_person on imported_list_people (customer_id, person_id);
create index imported_list_people_mail on imported_list_people (customer_id, mail_id) where mail_id is not null;
create index imported_list_people_organization on imported_list_people (customer_id, organization_id);
call protect_tenant_table('imported_list_people', array['id'], by_organization => true, audited => false);

update campaigns set audience = audience || '{"listIds": []}';
