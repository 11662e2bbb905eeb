-- Absences can be set ahead (docs/decisions/0315-work-of-teams-on-leads.md).
-- The first day; null: since it was set.
alter table lead_absences add column from_day date;
alter table lead_absences add constraint lead_absences_days check (from_day <= until);
