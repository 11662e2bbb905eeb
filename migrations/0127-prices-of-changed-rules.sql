-- A change of a price rule affects only the vehicles that its former or its new version matches, so that only their prices are
-- calculated again (docs/decisions/0153-repricing-by-window.md).
alter table price_requests
  -- Conditions of rules, [{"lotIds", "condition"}]: the vehicles that one of them matches. Null: `vehicle_id` says which.
  add column matching jsonb check (jsonb_typeof(matching) = 'array'),
  add check (vehicle_id is null or matching is null);
alter table price_states
  -- While prices are calculated after `after_vehicle`: the vehicles that one of these conditions matches. Null: all.
  add column matching jsonb check (jsonb_typeof(matching) = 'array');

-- Inactive rules change no price, before or after.
create function request_rule_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into price_requests (customer_id, matching)
    select customer_id, jsonb_agg(jsonb_build_object('lotIds', lot_ids::text[], 'condition', condition)) from (
      select distinct customer_id, lot_ids, condition from (select * from old_rows union all select * from new_rows) r where is_active) c
    group by customer_id;
  else
    insert into price_requests (customer_id, matching)
    select customer_id, jsonb_agg(jsonb_build_object('lotIds', lot_ids::text[], 'condition', condition)) from (
      select distinct customer_id, lot_ids, condition from changed_rows where is_active) c
    group by customer_id;
  end if;
  return null;
end
$$;
drop trigger prices_insert on pricing_rules;
drop trigger prices_update on pricing_rules;
drop trigger prices_delete on pricing_rules;
create trigger prices_insert after insert on pricing_rules referencing new table as changed_rows
  for each statement execute function request_rule_prices();
create trigger prices_update after update on pricing_rules referencing old table as old_rows new table as new_rows
  for each statement execute function request_rule_prices();
create trigger prices_delete after delete on pricing_rules referencing old table as changed_rows
  for each statement execute function request_rule_prices();
