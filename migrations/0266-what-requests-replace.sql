-- The values that a request about the details, a lot or an organization replaces, as they were when it was made: it is out of date
-- once one of them changes. Null for rules, which have versions, and for requests made before.
alter table pricing_rule_requests add column before jsonb check (jsonb_typeof(before) = 'object');
