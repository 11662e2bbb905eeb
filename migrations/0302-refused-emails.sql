-- Why an email was not accepted: by the mail server, or before it was sent. Words of an error don't say it.
alter table outbox_mails add column refusal text check (refusal in ('server', 'suppressed', 'expired', 'unreadable'));
update outbox_mails set refusal = case
    when error like 'This address is suppressed%' then 'suppressed'
    when error = 'Its link has expired.' then 'expired'
    when attempts > 0 then 'server' end
where state = 'failed' and not in_doubt and is_once;
-- Someone who turned out to be the same person as another recipient is mailed once.
alter table campaign_recipients drop constraint campaign_recipients_reason_check;
alter table campaign_recipients add constraint campaign_recipients_reason_check
  check (reason in ('email', 'placeholder', 'suppressed', 'consent', 'declined', 'revoked', 'gone', 'duplicate', 'stopped'));
-- The list of recipients, latest first.
create index campaign_recipients_mailed on campaign_recipients (customer_id, mailed_at, id);
