-- The consent on which an email of a campaign was sent: a later one doesn't replace it.
alter table campaign_recipients add column consent_text text;
alter table campaign_recipients add column consent_at timestamptz;
update campaign_recipients r set consent_text = e.text, consent_at = e.at
from campaign_recipients o cross join lateral (
  select c.text, c.at from consent_events c
  where c.customer_id = o.customer_id and c.kind = 'given' and c.purpose = 'marketing' and c.channel = 'email' and c.at <= o.mailed_at
    and c.person_id = any(array(select s.id from people p join people s
        on s.customer_id = p.customer_id and coalesce(s.merged_into_id, s.id) = coalesce(p.merged_into_id, p.id)
      where p.customer_id = o.customer_id and p.id = o.person_id))
  order by c.at desc, c.id desc limit 1) e
where o.customer_id = r.customer_id and o.id = r.id and r.mailed_at is not null;
