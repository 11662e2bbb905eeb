-- Texts for answers to buyers, with variables such as {{firstName}} (docs/decisions/0179-teams-and-answer-templates.md).
create table lead_answer_templates (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  -- Null: the subject of the conversation.
  subject text,
  text text not null,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on lead_answer_templates for each row execute function touch_row('name_key');
call protect_tenant_table('lead_answer_templates', array['id']);
