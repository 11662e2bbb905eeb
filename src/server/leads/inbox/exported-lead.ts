import { sql } from 'kysely'

/** Texts of a lead `l` for its file: what is in rows of other tables, a line for each. */

/** Every email and phone that the lead gave, or its buyer `p` uses. */
export const contactsText = sql<string | null>`(
  select string_agg(distinct concat_ws(' ', k.value, case when k.label is not null then '(' || k.label || ')' end), ', ')
  from people x join person_contacts k on k.customer_id = x.customer_id and k.person_id = x.id
  where x.customer_id = l.customer_id and coalesce(x.merged_into_id, x.id) = p.id)`

/** "2014 Honda Civic EX, 88,000, VIN ..., good". The unit of the mileage is that of the customer. */
export const tradeInText = sql<string | null>`nullif(concat_ws(', ',
  nullif(concat_ws(' ', l.trade_in ->> 'year', l.trade_in ->> 'make', l.trade_in ->> 'model', l.trade_in ->> 'trim'), ''),
  to_char((l.trade_in ->> 'mileage')::int, 'FM999,999,999'), 'VIN ' || (l.trade_in ->> 'vin'), l.trade_in ->> 'condition',
  l.trade_in ->> 'comments'), '')`

/** "given marketing email 2026-11-18 15:00 UTC: Send me offers". */
export const consentsText = sql<string | null>`(
  select string_agg(concat_ws(' ', e.kind, e.purpose, e.channel, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC:"'), e.text), chr(10)
    order by e.at, e.id)
  from people x join consent_events e on e.customer_id = x.customer_id and e.person_id = x.id
  where x.customer_id = l.customer_id and coalesce(x.merged_into_id, x.id) = p.id)`

/** What was asked and answered in the form. */
export const formAnswersText = sql<string | null>`(
  select string_agg(a.key || ': ' || (a.value #>> '{}'), chr(10) order by a.key)
  from form_submissions f cross join jsonb_each(f.answers) a where f.customer_id = l.customer_id and f.id = l.submission_id)`

/** Emails, calls and notes, oldest first. */
export const conversationText = sql<string | null>`(
  select string_agg(concat_ws(' ', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
      case e.kind when 'message-in' then 'Buyer:' when 'auto-reply' then 'Automatic reply:' else coalesce(e.by_name, 'Store') || ':' end,
      case e.kind when 'call' then 'Call, ' || (e.data ->> 'result') || '.' when 'note' then 'Note.' end,
      coalesce(nullif(concat_ws(' - ', nullif(m.subject, ''), m.text), ''), e.data ->> 'text')), chr(10) order by e.at, e.id)
  from lead_events e left join lead_messages m on m.customer_id = e.customer_id and m.lead_id = e.lead_id
    and m.id = (e.data ->> 'messageId')::bigint
  where e.customer_id = l.customer_id and e.lead_id = l.id and e.kind in ('message-in', 'message-out', 'auto-reply', 'call', 'note'))`

/** "utm_source: google". */
export const campaignText = sql<string | null>`(
  select string_agg(a.key || ': ' || a.value, ', ' order by a.key) from jsonb_each_text(l.campaign) a)`
