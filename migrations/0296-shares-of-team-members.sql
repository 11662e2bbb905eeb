-- Weights and caps of the members of a team (docs/decisions/0315-work-of-teams-on-leads.md).
-- [{"userId", "weight", "openCap", "dailyCap"}]; a member who isn't in it has weight 1 and no caps.
alter table lead_destinations add column member_shares jsonb not null default '[]' check (jsonb_typeof(member_shares) = 'array');
-- Turns are stored by share now (cursor.teams); every team begins anew.
update lead_routing_states set cursor = cursor - 'members' where cursor ? 'members';
