-- An email is an answer to the buyer when a mail server accepted it, and none once it came back. Until then its lead waits.
create table lead_mail_checks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  lead_id bigint not null,
  primary key (customer_id, lead_id),
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade
);
call protect_tenant_table('lead_mail_checks', array['lead_id'], audited => false);
create policy queue on lead_mail_checks to forecourt_jobs using (true);
grant select (customer_id) on lead_mail_checks to forecourt_jobs;

-- What became of an email to a buyer: its lead is looked at again, by a server that knows the opening hours.
create function note_lead_mail() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into public.lead_mail_checks (customer_id, lead_id)
  select m.customer_id, m.lead_id from public.lead_messages m
  where m.customer_id = new.customer_id and m.mail_id = new.id and m.direction = 'out' and not m.is_automatic
  on conflict do nothing;
  return null;
end
$$;
create trigger lead_answer after update of state, outcome on outbox_mails for each row
  when ((new.state, new.outcome) is distinct from (old.state, old.outcome)
    and (new.state is distinct from old.state and new.state in ('sent', 'failed') or new.outcome = 'bounced'))
  execute function note_lead_mail();

alter table leads
  -- The user who answered, for the figures of people; the name is of the one who acted.
  add column first_responder_id bigint,
  -- The email that was the first answer. Null: a call, or an email that is no longer known.
  add column first_response_message_id bigint,
  -- When a manager was told that its response deadline passed.
  add column escalated_at timestamptz,
  add foreign key (customer_id, first_responder_id) references users (customer_id, id) on delete set null (first_responder_id),
  add foreign key (customer_id, first_response_message_id) references lead_messages (customer_id, id)
    on delete set null (first_response_message_id);
create index leads_of_answer on leads (customer_id, first_response_message_id) where first_response_message_id is not null;
create index leads_of_responder on leads (customer_id, first_responder_id) where first_responder_id is not null;
alter table leads disable trigger user;
update leads set first_responder_id = owner_id where first_response_at is not null;
-- Deadlines that have passed long ago tell nobody anything new.
update leads set escalated_at = respond_by where respond_by < app_now() and first_response_at is null;
alter table leads enable trigger user;

-- "Contacted" says what someone wrote down, not that the buyer got an answer.
drop index leads_waiting, leads_next_step;
alter table leads drop column waits_until, drop column next_step_at;
alter table leads
  add column waits_until timestamptz generated always as (
    case when first_response_at is null and outcome not in ('sold', 'lost') and snoozed_until is null and not is_test
      and status not in ('quarantined', 'duplicate') then respond_by end) stored,
  add column next_step_at timestamptz generated always as (
    least(case when owner_id is not null and accepted_at is null and first_response_at is null and outcome = 'open'
        and status not in ('quarantined', 'duplicate') then accept_by end,
      case when owner_id is not null and accepted_at is not null and escalated_at is null and first_response_at is null
        and outcome not in ('sold', 'lost') and snoozed_until is null and not is_test
        and status not in ('quarantined', 'duplicate') then respond_by end, snoozed_until)) stored;
create index leads_waiting on leads (customer_id, waits_until, id) where waits_until is not null;
create index leads_next_step on leads (next_step_at) where next_step_at is not null;
grant select (customer_id, next_step_at) on leads to forecourt_jobs;

alter table lead_events drop constraint lead_events_kind_check;
alter table lead_events add constraint lead_events_kind_check check (kind in ('received', 'completed', 'duplicate', 'quarantined', 'released', 'routed', 'delivery', 'consent',
  'message-in', 'message-out', 'auto-reply', 'opened', 'viewed', 'call', 'note', 'assigned', 'accepted', 'returned',
  'escalated', 'late', 'bounced', 'snoozed', 'woken', 'outcome', 'merged', 'unmerged', 'changed'));
alter table lead_notices drop constraint lead_notices_kind_check;
-- late: an owner accepted it, and nobody has answered at the deadline; for the manager.
alter table lead_notices add constraint lead_notices_kind_check check (kind in ('assigned', 'reply', 'late'));
