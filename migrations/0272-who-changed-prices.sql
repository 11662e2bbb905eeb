-- Who or what changed a price, kept with the price that it led to (docs/decisions/0294-who-changed-prices.md).
-- {"call": of the contract, "by": user, "as": the user they impersonated}; a rule adds {"rules": [{"id", "name", "version"}]}.
create function price_cause() returns jsonb language sql stable as $$
  select jsonb_build_object('call', nullif(current_setting('app.endpoint', true), ''),
    'by', nullif(current_setting('app.actor_name', true), ''), 'as', nullif(current_setting('app.effective_name', true), ''))
$$;
alter table price_requests add column cause jsonb default price_cause();
-- Of the scan that isn't done.
alter table price_states add column causes jsonb not null default '[]' check (jsonb_typeof(causes) = 'array');
-- Empty: from before causes were kept.
alter table vehicle_price_history add column causes jsonb not null default '[]' check (jsonb_typeof(causes) = 'array');

create or replace function request_rule_prices() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into price_requests (customer_id, matching, cause)
    select customer_id, jsonb_agg(distinct jsonb_build_object('lotIds', lot_ids::text[], 'condition', condition)),
      price_cause() || jsonb_build_object('rules', (select jsonb_agg(jsonb_build_object('id', n.id::text, 'name', n.name, 'version', n.version))
        from new_rows n where n.customer_id = r.customer_id))
    from (select * from old_rows union all select * from new_rows) r where is_active
    group by customer_id;
  else
    insert into price_requests (customer_id, matching, cause)
    select customer_id, jsonb_agg(distinct jsonb_build_object('lotIds', lot_ids::text[], 'condition', condition)),
      price_cause() || jsonb_build_object('rules', jsonb_agg(jsonb_build_object('id', id::text, 'name', name, 'version', version)))
    from changed_rows where is_active
    group by customer_id;
  end if;
  return null;
end
$$;
