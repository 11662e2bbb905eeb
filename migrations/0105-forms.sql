-- Forms on the public sites of a customer. One with a lot belongs to the lot's organization, which manages it; one without
-- is for all of them. What buyers send belongs to one organization.
create table forms (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- In the form's address: /f/test-drive.
  key text not null check (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  is_on_vehicle_pages boolean not null default false,
  -- Receives what is sent without a vehicle. Null: the customer's first lot.
  lot_id bigint,
  -- What the next version asks: contract/questions/definition.ts.
  draft jsonb not null check (jsonb_typeof(draft) = 'object'),
  -- Which questions are the sender's name, email and so on: {"firstName": "name"}.
  lead_fields jsonb not null default '{}' check (jsonb_typeof(lead_fields) = 'object'),
  thank_you_title text not null,
  thank_you_text text not null,
  -- Null: no email is sent to the sender.
  reply_subject text,
  reply_text text,
  -- The version that visitors see; null before the first one is published.
  published_number integer,
  -- Set while the form doesn't accept anything.
  closed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  unique (customer_id, key),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id),
  check ((reply_subject is null) = (reply_text is null))
);
create index forms_lot on forms (customer_id, lot_id);
create trigger touch before update on forms for each row execute function touch_row('name_key');
call protect_tenant_table('forms', array['id']);

-- What a form asked. Never changes: each submission belongs to the version its sender saw.
create table form_versions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  form_id bigint not null,
  number integer not null check (number > 0),
  definition jsonb not null check (jsonb_typeof(definition) = 'object'),
  lead_fields jsonb not null check (jsonb_typeof(lead_fields) = 'object'),
  published_at timestamptz not null default app_now(),
  published_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, form_id, number),
  foreign key (customer_id, form_id) references forms (customer_id, id) on delete cascade
);
call protect_tenant_table('form_versions', array['form_id', 'number'], operations => 'select, insert, delete');

-- What a visitor sent. It belongs to the organization of the vehicle's lot, or of the form's lot.
create table form_submissions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  form_id bigint not null,
  form_number integer not null,
  -- From the page on which the form was opened: sending it twice is one submission.
  sent_key text not null,
  lot_id bigint,
  vehicle_id bigint,
  -- The vehicle as it was, because it may be sold and deleted: "2023 Ford Explorer XLT, T4411".
  vehicle_title text,
  -- The total price that the page showed.
  vehicle_price_cents bigint,
  -- unfinished: the sender has completed some steps, not all.
  state text not null check (state in ('received', 'unfinished', 'quarantined')),
  -- Why it is in quarantine, in the order they were found.
  suspicions text[] not null default '{}',
  is_test boolean not null default false,
  -- Found by the form's lead fields.
  sender_name text,
  sender_email text,
  sender_phone text,
  comments text,
  -- In stored form, by question.
  answers jsonb not null check (jsonb_typeof(answers) = 'object'),
  computed jsonb not null default '{}' check (jsonb_typeof(computed) = 'object'),
  -- With the exact text and its version.
  consents jsonb not null default '[]' check (jsonb_typeof(consents) = 'array'),
  language text not null,
  -- Where the sender was: page address, referrer and campaign parameters.
  page_url text,
  referrer text,
  campaign jsonb not null default '{}' check (jsonb_typeof(campaign) = 'object'),
  sender_address text,
  -- When the latest step was sent, and the last one.
  sent_at timestamptz not null default app_now(),
  finished_at timestamptz,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, form_id, sent_key),
  foreign key (customer_id, form_id, form_number) references form_versions (customer_id, form_id, number),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id),
  foreign key (customer_id, vehicle_id) references vehicles (customer_id, id) on delete set null (vehicle_id)
);
create index form_submissions_latest on form_submissions (customer_id, sent_at desc, id desc) include (organization_id, state);
create index form_submissions_of_form on form_submissions (customer_id, form_id, form_number);
create index form_submissions_of_organization on form_submissions (customer_id, organization_id, sent_at desc, id desc);
create index form_submissions_of_lot on form_submissions (customer_id, lot_id);
create index form_submissions_of_vehicle on form_submissions (customer_id, vehicle_id);
create trigger touch before update on form_submissions for each row execute function touch_row();
call protect_tenant_table('form_submissions', array['id'], by_organization => true);
