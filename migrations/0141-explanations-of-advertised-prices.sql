-- How an advertised price was made: the price before rules, and what each rule changed, as the evaluation returned it. So the proof
-- of a price shows its explanation of that day, also after rules have changed. Prices advertised before have none.
alter table channel_run_prices
  add column base_cents bigint,
  -- [{"ruleId", "name", "kind", "amountCents", "runningCents"}]
  add column lines jsonb not null default '[]' check (jsonb_typeof(lines) = 'array');
alter table advertised_prices
  add column base_cents bigint,
  add column lines jsonb not null default '[]' check (jsonb_typeof(lines) = 'array');
