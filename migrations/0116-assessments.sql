-- An assessment asks the questions of one published questionnaire version at organizations and facilities.
create table assessments (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- The organization that runs it. Organizations with a target can read it.
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  questionnaire_id bigint not null,
  -- As it was when it was chosen: organizations that answer can't always see the questionnaire.
  questionnaire_name text not null,
  -- The version that is asked. It stays the same while the assessment is open.
  questionnaire_number integer not null check (questionnaire_number > 0),
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  period_start date not null,
  -- The last day of the period.
  period_end date not null,
  opens_on date not null,
  due_on date not null,
  review text not null default 'one' check (review in ('none', 'one', 'two')),
  status text not null default 'draft' check (status in ('draft', 'open', 'closed')),
  recurrence text not null default 'none' check (recurrence in ('none', 'yearly')),
  -- Days before the due date on which reminders are sent: to those who have not answered anything, and to those who have
  -- started. Null: none.
  remind_untouched_days integer check (remind_untouched_days between 0 and 365),
  remind_started_days integer check (remind_started_days between 0 and 365),
  -- The same assessment of the year before.
  previous_id bigint,
  opened_at timestamptz,
  closed_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, questionnaire_id, questionnaire_number)
    references questionnaire_versions (customer_id, questionnaire_id, number),
  foreign key (customer_id, previous_id) references assessments (customer_id, id) on delete set null (previous_id),
  constraint assessments_days check (period_end >= period_start and due_on >= opens_on),
  check ((status = 'draft') = (opened_at is null)),
  check ((status = 'closed') = (closed_at is not null))
);
create index assessments_of_organization on assessments (customer_id, organization_id);
create index assessments_previous on assessments (customer_id, previous_id);
create index assessments_questionnaire on assessments (customer_id, questionnaire_id, questionnaire_number);
create trigger touch before update on assessments for each row execute function touch_row('name_key');

-- An organization or facility that answers. Whether it is overdue is computed, never stored.
create table assessment_targets (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  assessment_id bigint not null,
  -- Null: the organization as a whole.
  facility_id bigint,
  state text not null default 'not_started' check (state in
    ('not_started', 'in_progress', 'submitted', 'in_review', 'changes_requested', 'approved', 'closed')),
  -- Instead of the due date of the assessment.
  due_on date,
  -- After changes were requested: the questions that can't be changed, until it is submitted again.
  frozen_questions text[],
  -- The state before it was closed, for reopening.
  closed_from text check (closed_from in ('submitted', 'approved')),
  submitted_at timestamptz,
  submitted_by text,
  approved_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  unique nulls not distinct (customer_id, assessment_id, organization_id, facility_id),
  foreign key (customer_id, assessment_id) references assessments (customer_id, id) on delete cascade,
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, organization_id, facility_id) references facilities (customer_id, organization_id, id),
  check ((state = 'closed') = (closed_from is not null))
);
create index assessment_targets_of_organization on assessment_targets (customer_id, organization_id, assessment_id);
create index assessment_targets_of_facility on assessment_targets (customer_id, organization_id, facility_id);
create trigger touch before update on assessment_targets for each row execute function touch_row();
call protect_tenant_table('assessment_targets', array['id'], by_organization => true);

-- Other organizations see that it exists if they are asked; src/server/assessments refuses changes by them.
call protect_tenant_table('assessments', array['id'], narrowed_by => $p$
  organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or (select current_setting('app.reach', true)) = 'customer'
  or exists (select from assessment_targets t where t.customer_id = assessments.customer_id and t.assessment_id = assessments.id)$p$);

-- What is answered at a target, recomputed in the transaction of each save. Not audited: the answer log has every answer.
create table assessment_progress (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  target_id bigint not null,
  organization_id bigint not null,
  -- For each section of the questionnaire, in order: its ID and counts of questions. Sections that aren't asked have 0.
  sections jsonb not null default '[]' check (jsonb_typeof(sections) = 'array'),
  questions integer not null default 0,
  answered integer not null default 0,
  required integer not null default 0,
  required_answered integer not null default 0,
  -- Percent of the points that can be reached; null: nothing is scored or answered.
  score numeric(6, 2),
  -- contract/questions/scores.ts; null if the questionnaire has no scores.
  scores jsonb,
  answered_at timestamptz,
  answered_by text,
  primary key (customer_id, target_id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_progress_of_organization on assessment_progress (customer_id, organization_id, target_id);
call protect_tenant_table('assessment_progress', array['target_id'], by_organization => true, audited => false);

-- Who answers, reads or reviews: a user, or a participant who has no account.
create table assessment_people (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  role text not null check (role in ('owner', 'contributor', 'reader', 'reviewer')),
  user_id bigint,
  participant_id bigint,
  -- As they were when the person was added.
  name text not null,
  email text not null,
  -- May answer only what is delegated to them.
  is_delegate boolean not null default false,
  primary key (customer_id, id),
  unique (customer_id, target_id, id),
  unique (customer_id, target_id, user_id),
  unique (customer_id, target_id, participant_id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade,
  check ((user_id is null) <> (participant_id is null)),
  check (role <> 'reviewer' or user_id is not null),
  check (not is_delegate or role = 'contributor')
);
create unique index assessment_people_owner on assessment_people (customer_id, target_id) where role = 'owner';
create index assessment_people_user on assessment_people (customer_id, user_id);
create index assessment_people_participant on assessment_people (customer_id, participant_id);
create index assessment_people_of_organization on assessment_people (customer_id, organization_id, target_id);
call protect_tenant_table('assessment_people', array['id'], by_organization => true);

-- The current answers. Not audited: the answer log has every change.
create table assessment_answers (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null,
  target_id bigint not null,
  question_code text not null,
  -- A row of a table; empty for the whole question.
  row_key text not null default '',
  -- The order of a table's rows: the row that was added first is first.
  place bigint generated always as identity,
  -- Null: cleared.
  value jsonb,
  rev integer not null check (rev > 0),
  -- The question isn't asked now. The answer doesn't count, and comes back when the question is asked again.
  is_set_aside boolean not null default false,
  -- The concept of the question, to offer the answer in other questionnaires.
  concept_id text,
  -- Where it was taken from: {"kind": "previous", "targetId": "4"}. Null: entered.
  source jsonb check (jsonb_typeof(source) = 'object'),
  user_id bigint,
  participant_id bigint,
  answered_by text not null,
  answered_at timestamptz not null default app_now(),
  primary key (customer_id, target_id, question_code, row_key),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_answers_of_organization on assessment_answers (customer_id, organization_id, target_id);
create index assessment_answers_concept on assessment_answers (customer_id, concept_id, organization_id)
  where concept_id is not null;
call protect_tenant_table('assessment_answers', array['target_id', 'question_code', 'row_key'], by_organization => true,
  audited => false);

-- Every change that was sent, with its response: sending it again returns the same response. Refused values stay here.
create table assessment_mutations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null,
  target_id bigint not null,
  mutation_id text not null,
  question_code text not null,
  row_key text not null,
  base integer not null,
  value jsonb,
  status text not null check (status in ('accepted', 'conflict', 'refused')),
  response jsonb not null check (jsonb_typeof(response) = 'object'),
  user_id bigint,
  participant_id bigint,
  sent_by text not null,
  received_at timestamptz not null default app_now(),
  primary key (customer_id, target_id, mutation_id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_mutations_of_organization on assessment_mutations (customer_id, organization_id, target_id);
call protect_tenant_table('assessment_mutations', array['target_id', 'mutation_id'], by_organization => true,
  operations => 'select, insert', audited => false);

-- What happened to the answers of a target, in order. Each entry contains the hash of the one before.
create table assessment_answer_log (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null,
  target_id bigint not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('answer', 'refused', 'state')),
  -- For `state`: the new state and the reason. Otherwise the question, row, value and revision.
  content text not null,
  user_id bigint,
  participant_id bigint,
  -- Who impersonated the user.
  actor_user_id bigint,
  logged_by text not null,
  logged_at text not null,
  -- Of the entry before; empty for the first.
  previous_sha256 text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  primary key (customer_id, target_id, number),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_answer_log_of_organization on assessment_answer_log (customer_id, organization_id, target_id);
create index assessment_answer_log_user on assessment_answer_log (customer_id, target_id, user_id) where kind = 'answer';
call protect_tenant_table('assessment_answer_log', array['target_id', 'number'], by_organization => true,
  operations => 'select, insert', audited => false);

create table assessment_comments (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  -- Null: about the whole target.
  question_code text,
  text text not null,
  -- Not shown to participants.
  is_internal boolean not null default false,
  user_id bigint,
  participant_id bigint,
  written_by text not null,
  written_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_comments_of_target on assessment_comments (customer_id, organization_id, target_id, id);
call protect_tenant_table('assessment_comments', array['id'], by_organization => true);

-- What a person was asked to answer for someone else: a question, a section or a row of a table.
create table assessment_delegations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  assignee_id bigint not null,
  section_id text,
  question_code text,
  row_key text,
  delegated_by text not null,
  delegated_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  unique nulls not distinct (customer_id, target_id, section_id, question_code, row_key),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, target_id, assignee_id) references assessment_people (customer_id, target_id, id) on delete cascade,
  check ((section_id is null) <> (question_code is null)),
  check (row_key is null or question_code is not null)
);
create index assessment_delegations_of_assignee on assessment_delegations (customer_id, target_id, assignee_id);
create index assessment_delegations_of_organization on assessment_delegations (customer_id, organization_id, target_id);
call protect_tenant_table('assessment_delegations', array['id'], by_organization => true);

-- Questions that a reviewer asks to change. While changes are requested, only these can be answered.
create table assessment_flags (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  question_code text not null,
  comment text not null,
  flagged_by text not null,
  flagged_at timestamptz not null default app_now(),
  -- When the target was submitted again.
  resolved_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create unique index assessment_flags_open on assessment_flags (customer_id, target_id, question_code) where resolved_at is null;
create index assessment_flags_of_target on assessment_flags (customer_id, organization_id, target_id, id);
call protect_tenant_table('assessment_flags', array['id'], by_organization => true);

create table assessment_reviews (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  -- Counts how often it was submitted.
  round integer not null check (round > 0),
  decision text not null check (decision in ('started', 'approved', 'changes_requested', 'reopened')),
  comment text,
  user_id bigint,
  decided_by text not null,
  decided_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create unique index assessment_reviews_once on assessment_reviews (customer_id, target_id, round, user_id)
  where decision = 'approved';
create index assessment_reviews_of_target on assessment_reviews (customer_id, organization_id, target_id, id);
call protect_tenant_table('assessment_reviews', array['id'], by_organization => true, operations => 'select, insert');

-- The frozen content of a target at a submission or approval.
create table assessment_snapshots (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  kind text not null check (kind in ('submitted', 'approved')),
  -- JSON text, byte for byte what the hash is of.
  content text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  made_by text not null,
  made_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_snapshots_of_target on assessment_snapshots (customer_id, organization_id, target_id, id);
call protect_tenant_table('assessment_snapshots', array['id'], by_organization => true, operations => 'select, insert',
  audited => false);

-- Evidence files. The bytes are in file storage.
create table assessment_evidence (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  -- Where it was uploaded.
  target_id bigint not null,
  name text not null,
  stored_as uuid not null,
  type text not null,
  size bigint not null check (size > 0),
  sha256 text not null,
  period_start date,
  period_end date,
  valid_until date,
  -- The pages that matter: "3-5".
  pages text,
  removed_at timestamptz,
  user_id bigint,
  participant_id bigint,
  added_by text not null,
  added_at timestamptz not null default app_now(),
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade,
  check (period_end >= period_start)
);
create index assessment_evidence_of_target on assessment_evidence (customer_id, organization_id, target_id, id);
create index assessment_evidence_expiring on assessment_evidence (customer_id, organization_id, valid_until)
  where valid_until is not null and removed_at is null;
create trigger touch before update on assessment_evidence for each row execute function touch_row();
call protect_tenant_table('assessment_evidence', array['id'], by_organization => true);

-- The answers that a file supports; next year's target may use it too.
create table assessment_evidence_links (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null,
  evidence_id bigint not null,
  target_id bigint not null,
  question_code text not null,
  primary key (customer_id, evidence_id, target_id, question_code),
  foreign key (customer_id, organization_id, evidence_id) references assessment_evidence (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_evidence_links_of_target on assessment_evidence_links (customer_id, organization_id, target_id);
create index assessment_evidence_links_of_evidence on assessment_evidence_links (customer_id, organization_id, evidence_id);
call protect_tenant_table('assessment_evidence_links', array['evidence_id', 'target_id', 'question_code'], by_organization => true);

-- Reminders that were sent, so that no one gets two.
create table assessment_reminders (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  assignee_id bigint not null,
  -- Who caused it: a person, or one of the two deadlines.
  kind text not null check (kind in ('manual', 'untouched', 'started')),
  mail_id bigint,
  sent_by text,
  sent_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, target_id, assignee_id) references assessment_people (customer_id, target_id, id) on delete cascade
);
create unique index assessment_reminders_once on assessment_reminders (customer_id, target_id, assignee_id, kind)
  where kind <> 'manual';
create index assessment_reminders_of_target on assessment_reminders (customer_id, organization_id, target_id, id);
call protect_tenant_table('assessment_reminders', array['id'], by_organization => true, operations => 'select, insert');
grant update (mail_id) on assessment_reminders to forecourt_app;
