-- Questionnaires of a customer. One with an organization is managed by and visible to that organization; one without is
-- for all of them.
create table questionnaires (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- Its stable name in exports and file names: dealer-site-check.
  key text not null check (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- What the next version asks: contract/questions/definition.ts. Equal to the latest version while no draft is open.
  draft jsonb not null check (jsonb_typeof(draft) = 'object'),
  -- How it is scored: contract/questions/scores/scoring.ts.
  scoring jsonb not null check (jsonb_typeof(scoring) = 'object'),
  -- Whether the draft may be edited. Publishing closes it.
  has_draft boolean not null default true,
  -- Of the draft, computed on every save, so that lists needn't read the draft.
  question_count integer not null,
  section_count integer not null,
  error_count integer not null,
  -- [{"language": "en", "translated": 120, "total": 120}], the default language first.
  languages jsonb not null check (jsonb_typeof(languages) = 'array'),
  -- The latest version; null before the first one is published.
  published_number integer,
  -- Set while no new assessment can use it.
  retired_at timestamptz,
  status text not null generated always as (case when retired_at is not null then 'retired'
    when published_number is not null then 'published' else 'draft' end) stored,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  unique (customer_id, key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id)
);
create index questionnaires_organization on questionnaires (customer_id, organization_id);
create trigger touch before update on questionnaires for each row execute function touch_row('name_key', 'status');
call protect_tenant_table('questionnaires', array['id'], narrowed_by => $rule$organization_id is null
  or organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or (select current_setting('app.reach', true)) = 'customer'$rule$);

-- What a questionnaire asked. Never changes: assessments refer to the version they were opened with, in any organization.
create table questionnaire_versions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  questionnaire_id bigint not null,
  number integer not null check (number > 0),
  definition jsonb not null check (jsonb_typeof(definition) = 'object'),
  scoring jsonb not null check (jsonb_typeof(scoring) = 'object'),
  question_count integer not null,
  published_at timestamptz not null default app_now(),
  published_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, questionnaire_id, number),
  foreign key (customer_id, questionnaire_id) references questionnaires (customer_id, id) on delete cascade
);
call protect_tenant_table('questionnaire_versions', array['questionnaire_id', 'number'], operations => 'select, insert, delete');
