-- A change to price rules that waits for the approval of a second user.
create table pricing_rule_requests (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  kind text not null check (kind in ('add', 'update', 'remove', 'import', 'importLowest')),
  -- The rule to change or delete; null after it was deleted.
  rule_id bigint,
  -- What the change was called when it was asked for: the rule's name, or the number of imported rules.
  title text not null,
  -- The change as it was sent; it is checked again when it is approved.
  input jsonb not null check (jsonb_typeof(input) = 'object'),
  -- How many selling prices it would have changed.
  changed integer not null check (changed >= 0),
  note text,
  state text not null default 'open' check (state in ('open', 'approved', 'rejected', 'withdrawn')),
  requested_at timestamptz not null default app_now(),
  requested_by text not null,
  -- The signed-in user, and the user they impersonated. Neither may approve it. They are no references: a deleted user's request stays.
  requester_id bigint not null,
  effective_requester_id bigint not null,
  decided_at timestamptz,
  decided_by text,
  reason text,
  version integer not null default 1,
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, rule_id) references pricing_rules (customer_id, id) on delete set null (rule_id),
  check (rule_id is null or kind in ('update', 'remove')),
  check ((state = 'open') = (decided_at is null))
);
create index pricing_rule_requests_rule on pricing_rule_requests (customer_id, rule_id);
create index pricing_rule_requests_open on pricing_rule_requests (customer_id, state, requested_at);
create trigger touch before update on pricing_rule_requests for each row execute function touch_row();
call protect_tenant_table('pricing_rule_requests', array['id']);
