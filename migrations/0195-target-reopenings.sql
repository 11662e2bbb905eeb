-- A target that two people approved is reopened by two people: one asks for it with a reason, another one confirms it.
create table assessment_reopenings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  reason text not null,
  -- Who asked, and while impersonating, as whom. No foreign keys: the history outlives its users.
  requester_id bigint default nullif(current_setting('app.actor_user_id', true), '')::bigint,
  effective_requester_id bigint default nullif(current_setting('app.effective_user_id', true), '')::bigint,
  requested_by text default nullif(current_setting('app.actor_name', true), ''),
  requested_at timestamptz not null default app_now(),
  -- Null: nobody has decided yet.
  decision text check (decision in ('confirmed', 'declined', 'withdrawn')),
  decision_reason text,
  decider_id bigint,
  effective_decider_id bigint,
  decided_by text,
  decided_at timestamptz,
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id),
  constraint assessment_reopenings_decided check ((decision is null) = (decided_at is null))
);
create index assessment_reopenings_target on assessment_reopenings (customer_id, organization_id, target_id, id);
create unique index assessment_reopenings_open on assessment_reopenings (customer_id, target_id) where decision is null;
call protect_tenant_table('assessment_reopenings', array['id'], by_organization => true, operations => 'select, insert');
grant update (decision, decision_reason, decider_id, effective_decider_id, decided_by, decided_at) on assessment_reopenings
  to forecourt_app;
create trigger decided before update or delete on assessment_reopenings for each row execute function keep_reopening_decision();
create trigger never_emptied before truncate on assessment_reopenings for each statement execute function refuse_change();
