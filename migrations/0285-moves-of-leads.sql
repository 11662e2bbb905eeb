-- Leads that go from one store of a customer to another one, or are copied to it (docs/decisions/0306-stores-of-leads.md).

create table lead_moves (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  -- The lead that was moved, or the copy.
  lead_id bigint not null,
  -- Of a copy: the lead that stayed. Null for a move, and after it was deleted.
  original_id bigint,
  is_copy boolean not null,
  from_organization_id bigint not null,
  -- Null: it had no store yet, or the lot was deleted. The name is that of the time.
  from_lot_id bigint,
  from_name text,
  -- The buyer as the former store knows them.
  from_person_id bigint,
  to_organization_id bigint not null,
  to_lot_id bigint,
  to_name text not null,
  reason text,
  -- What an undo puts back: the owner, the deadlines and the status.
  before jsonb not null default '{}' check (jsonb_typeof(before) = 'object'),
  at timestamptz not null default app_now(),
  by_user_id bigint,
  -- Null: a rule.
  by_name text default nullif(current_setting('app.actor_name', true), ''),
  undone_at timestamptz,
  undone_by text,
  primary key (customer_id, id),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade,
  foreign key (customer_id, original_id) references leads (customer_id, id) on delete set null (original_id),
  foreign key (customer_id, from_organization_id) references organizations (customer_id, id),
  foreign key (customer_id, from_lot_id) references lots (customer_id, id) on delete set null (from_lot_id),
  foreign key (customer_id, from_person_id) references people (customer_id, id) on delete set null (from_person_id),
  foreign key (customer_id, to_organization_id) references organizations (customer_id, id),
  foreign key (customer_id, to_lot_id) references lots (customer_id, id) on delete set null (to_lot_id),
  foreign key (customer_id, by_user_id) references users (customer_id, id) on delete set null (by_user_id)
);
create index lead_moves_of_lead on lead_moves (customer_id, lead_id, id);
create index lead_moves_of_original on lead_moves (customer_id, original_id) where original_id is not null;
create index lead_moves_from on lead_moves (customer_id, from_organization_id, at);
create index lead_moves_to on lead_moves (customer_id, to_organization_id);
create index lead_moves_from_lot on lead_moves (customer_id, from_lot_id) where from_lot_id is not null;
create index lead_moves_to_lot on lead_moves (customer_id, to_lot_id) where to_lot_id is not null;
create index lead_moves_person on lead_moves (customer_id, from_person_id) where from_person_id is not null;
create index lead_moves_user on lead_moves (customer_id, by_user_id) where by_user_id is not null;
-- Both stores see that it was moved; the conversation is where the lead is.
call protect_tenant_table('lead_moves', array['id'], operations => 'select, insert, update', narrowed_by => $rule$
  from_organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or to_organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or (select current_setting('app.reach', true)) = 'customer'$rule$);

alter table leads
  -- When it came to its present store: its clock starts then.
  add column moved_at timestamptz;

-- The conversation goes along.
grant update (organization_id) on lead_events, lead_messages, lead_delivery_attempts to forecourt_app;
