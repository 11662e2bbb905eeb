-- Who may not read leads reads no emails to or about buyers either.
alter table outbox_mails add column is_about_buyer boolean not null default false;
update outbox_mails m set is_about_buyer = true
  where exists (select from lead_messages x where x.customer_id = m.customer_id and x.mail_id = m.id)
    or exists (select from lead_deliveries d where d.customer_id = m.customer_id and d.mail_id = m.id)
    -- Notices about leads to users have no other mark.
    or (m.user_id is not null and not m.has_secret and (m.subject like 'New lead: %' or m.subject like '% replied'
      or m.subject like 'Not answered in time: %'));
