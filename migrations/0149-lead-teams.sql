-- Teams whose members take turns, and who is off (docs/decisions/0179-teams-and-answer-templates.md).

-- In order. Without members, the lead waits in the inbox for the first person who accepts it.
alter table lead_destinations add column member_ids bigint[] not null default '{}' check (cardinality(member_ids) <= 50);

-- Users who get no leads until the end of a day, in the time zone of the customer.
create table lead_absences (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  user_id bigint not null,
  -- The last day.
  until date not null,
  set_by text default nullif(current_setting('app.actor_name', true), ''),
  set_at timestamptz not null default app_now(),
  primary key (customer_id, user_id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete cascade
);
call protect_tenant_table('lead_absences', array['user_id']);
