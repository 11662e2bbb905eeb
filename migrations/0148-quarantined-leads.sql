-- A lead that was taken out of quarantine: its response time counts from then, because no one could answer it before
-- (docs/decisions/0178-leads-in-quarantine.md).
alter table leads add column released_at timestamptz;
