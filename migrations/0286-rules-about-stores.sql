-- Rules that send leads to a store, and the facts that routing used (docs/decisions/0306-stores-of-leads.md).

alter table lead_routing_rules
  -- The lot that leads of this rule go to; the rules after it see them there. Such a rule has no destinations. Null: it sends leads.
  add column store_id bigint,
  add foreign key (customer_id, store_id) references lots (customer_id, id) on delete set null (store_id);
create index lead_routing_rules_store on lead_routing_rules (customer_id, store_id) where store_id is not null;

alter table lead_routes
  -- What the rules saw: a simulation uses it, because buyers and vehicles have changed since (StoredFacts). Null: not stored then.
  add column facts jsonb check (jsonb_typeof(facts) = 'object');
