-- Who has a target open now, and which question. A row counts for less than a minute after `seen_at`; later ones are removed
-- by the next person who opens the target. Not audited: it says nothing about the answers.
create table assessment_presence (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  organization_id bigint not null,
  target_id bigint not null,
  -- Of one open page. Chosen by the page.
  visit_id uuid not null,
  user_id bigint,
  participant_id bigint,
  name text not null,
  question_code text,
  seen_at timestamptz not null default app_now(),
  primary key (customer_id, target_id, visit_id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade,
  check ((user_id is null) <> (participant_id is null))
);
create index assessment_presence_of_organization on assessment_presence (customer_id, organization_id, target_id);
call protect_tenant_table('assessment_presence', array['target_id', 'visit_id'], by_organization => true, audited => false);
