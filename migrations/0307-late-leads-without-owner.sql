-- A lead without an answer at its deadline is told to the manager, also if nobody owns it or accepted it.
drop index leads_next_step;
alter table leads drop column next_step_at;
alter table leads
  add column next_step_at timestamptz generated always as (
    least(case when owner_id is not null and accepted_at is null and first_response_at is null and outcome = 'open'
        and status not in ('quarantined', 'duplicate') then accept_by end,
      case when escalated_at is null and first_response_at is null
        and outcome not in ('sold', 'lost') and snoozed_until is null and not is_test
        and status not in ('quarantined', 'duplicate') then respond_by end, snoozed_until)) stored;
create index leads_next_step on leads (next_step_at) where next_step_at is not null;
grant select (customer_id, next_step_at) on leads to forecourt_jobs;
alter table leads disable trigger user;
-- Deadlines that have passed long ago tell nobody anything new.
update leads set escalated_at = respond_by where escalated_at is null and respond_by < app_now() and first_response_at is null;
alter table leads enable trigger user;
