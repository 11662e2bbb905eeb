-- Changes of the details, of a lot and of a time zone wait for approval, too, if they move many totals.
alter table pricing_rule_requests drop constraint pricing_rule_requests_kind_check;
alter table pricing_rule_requests add constraint pricing_rule_requests_kind_check
  check (kind in ('add', 'update', 'remove', 'import', 'importLowest', 'details', 'lot', 'organization'));
