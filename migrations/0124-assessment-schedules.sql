-- The queue looks for assessments with reminders or a yearly repetition. It sees nothing else of them.
create policy queue on assessments for select to forecourt_jobs using (true);
grant select (customer_id, organization_id, id, status, opens_on, recurrence, remind_untouched_days, remind_started_days)
  on assessments to forecourt_jobs;
