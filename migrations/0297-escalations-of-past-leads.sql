-- Deleted leads that were escalated stay counted (docs/decisions/0315-work-of-teams-on-leads.md).
alter table past_leads add column is_escalated boolean not null default false;
