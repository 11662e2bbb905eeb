-- Whether a request is about a rule on costs, as it is or as it would be: its name and amounts are for those who see costs.
alter table pricing_rule_requests add column is_on_costs boolean not null default false;
-- Bookkeeping only: versions, update times and the audit log stay as they are.
alter table pricing_rule_requests disable trigger user;
update pricing_rule_requests q set is_on_costs = true
where exists (select from pricing_rules r where r.customer_id = q.customer_id and r.id = q.rule_id and r.is_on_costs)
  or (q.kind in ('add', 'update', 'import') and q.input::text ~
    '"field\\*": *\\*"(cost|invoice)|"above(Cost|Invoice)Cents\\*": *-?[0-9]|"whenMissing\\*": *\\*"cost');
alter table pricing_rule_requests enable trigger user;
