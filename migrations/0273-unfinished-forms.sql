-- A form with steps that is left after a way to reach the buyer was given becomes a lead after a time
-- (docs/decisions/0295-unfinished-forms-become-leads.md).

-- Minutes after the last step that was sent. Null: unfinished forms stay under Submissions.
alter table lead_settings add column unfinished_minutes integer check (unfinished_minutes between 5 and 10080);

alter table form_submissions
  -- Of an unfinished one: the last step that was sent, and how many there are with these answers.
  add column step smallint,
  add column steps smallint,
  -- When it becomes a lead, or its lead gets the later answers. Null: never, or it has.
  add column lead_due_at timestamptz,
  -- It was made a lead. If that was deleted, only finishing the form makes another one.
  add column became_lead boolean not null default false;
create index form_submissions_due on form_submissions (lead_due_at) where lead_due_at is not null;
grant select (lead_due_at) on form_submissions to forecourt_jobs;

alter table leads
  -- Of a form that its sender hasn't finished: the last step that was sent, of how many.
  add column unfinished_step smallint,
  add column unfinished_steps smallint,
  -- When the sender finished it. Null: they haven't, or it came in whole.
  add column completed_at timestamptz,
  add check ((unfinished_step is null) = (unfinished_steps is null));

alter table lead_events drop constraint lead_events_kind_check;
alter table lead_events add constraint lead_events_kind_check check (kind in ('received', 'completed', 'duplicate', 'quarantined',
  'released', 'routed', 'delivery', 'consent', 'message-in', 'message-out', 'auto-reply', 'opened', 'viewed', 'call', 'note',
  'assigned', 'accepted', 'returned', 'escalated', 'snoozed', 'woken', 'outcome', 'merged', 'unmerged', 'changed'));
