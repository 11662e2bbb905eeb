-- Who withdraws consent while an email of a campaign waits for the mail server doesn't get it.
create function stop_campaign_mails() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  with keys as (
    select c.value_key from person_contacts c
    where c.customer_id = new.customer_id and c.kind = 'email' and c.person_id in (
      select o.id from people p join people o on o.customer_id = p.customer_id
        and (o.id = coalesce(p.merged_into_id, p.id) or o.merged_into_id = coalesce(p.merged_into_id, p.id))
      where p.customer_id = new.customer_id and p.id = new.person_id)
  ), stopped as (
    update outbox_mails m set state = 'failed', next_attempt_at = null, error = 'This person asked not to be emailed.'
    where m.customer_id = new.customer_id and m.is_once and m.state = 'waiting' and m.lease is null
      and m.organization_id = new.organization_id and lower(m.to_email) in (select value_key from keys)
    returning m.id
  )
  update campaign_recipients r set state = 'left-out', reason = new.kind
  from stopped s where r.customer_id = new.customer_id and r.mail_id = s.id;
  return null;
end
$$;
create trigger stop_campaign_mails after insert on consent_events for each row
  when (new.kind in ('declined', 'revoked') and new.channel = 'email' and new.purpose in ('marketing', 'inquiry'))
  execute function stop_campaign_mails();
create index outbox_mails_once_waiting on outbox_mails (customer_id, organization_id) where is_once and state = 'waiting';
