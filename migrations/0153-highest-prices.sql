-- Price rules for a highest price, rounding to the nearest ending, and what buyers read of a rule.
alter table pricing_rules drop constraint pricing_rules_kind_check;
alter table pricing_rules add constraint pricing_rules_kind_check
  check (kind in ('base', 'accessory', 'discount', 'rebate', 'ceiling', 'floor', 'rounding', 'offer'));
alter table pricing_rules
  add column rounding_mode text not null default 'down' check (rounding_mode in ('down', 'nearest')),
  add column label text,
  add column disclaimer text;
