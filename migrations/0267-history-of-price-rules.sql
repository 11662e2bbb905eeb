-- The changes of one price rule. Users of one organization see the rules of their customer, but no rows of the audit log that belong
-- to the whole customer. Costs are left out by the caller.
create function pricing_rule_history(rule_id bigint) returns setof audit_log
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select a.* from audit_log a
  where a.customer_id = nullif(current_setting('app.customer_id', true), '')::bigint
    and a.table_name = 'pricing_rules' and a.row_id = rule_id::text and a.operation in ('insert', 'update')
$$;
revoke execute on function pricing_rule_history(bigint) from public;
grant execute on function pricing_rule_history(bigint) to forecourt_app;
