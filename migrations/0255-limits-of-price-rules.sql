-- Limits that belong to a price rule, and what it does with vehicles that lack an amount it needs
-- (docs/decisions/0272-limits-belong-to-their-rule.md).
alter table pricing_rules
  -- How far the rule may lower a price: not below cost or invoice plus an amount, at most a percentage below MSRP, not below the
  -- minimum price. Null or false: not limited by it.
  add column above_cost_cents integer,
  add column above_invoice_cents integer,
  add column off_msrp_percent float8 check (off_msrp_percent > 0 and off_msrp_percent < 100),
  add column keeps_minimum boolean not null default false,
  add column when_missing text not null default 'skip' check (when_missing in ('skip', 'cost', 'stop')),
  -- Its amounts and a price would tell the cost to users who don't see costs.
  add column is_on_costs boolean not null generated always as (coalesce(field in ('cost', 'invoice'), false)
    or above_cost_cents is not null or above_invoice_cents is not null or when_missing = 'cost') stored;

-- A lowest price whose amount is missing has kept all other rules from lowering the price. So it stays for those that exist. Nothing
-- else changes, so neither versions nor prices do.
alter table pricing_rules disable trigger user;
update pricing_rules set when_missing = 'stop' where kind = 'floor';
alter table pricing_rules enable trigger user;

drop trigger touch on pricing_rules;
create trigger touch before update on pricing_rules for each row execute function touch_row('name_key', 'is_on_costs');
