-- A text that became leads of several organizations is for people who reach the whole customer: each lead keeps what is its own.
create function names_other_stores(of_source bigint) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with place as (
    select nullif(current_setting('app.customer_id', true), '')::bigint as customer_id,
      nullif(current_setting('app.organization_id', true), '')::bigint as organization_id
  )
  select coalesce(current_setting('app.reach', true), '') <> 'customer' and (
    exists (select from place join public.leads l on l.customer_id = place.customer_id and l.source_id = of_source
      where l.organization_id is distinct from place.organization_id)
    or exists (select from place
      join public.inbound_messages m on m.customer_id = place.customer_id and m.source_id = of_source
      join public.inbound_message_leads w on w.customer_id = m.customer_id and w.message_id = m.id
      join public.leads l on l.customer_id = w.customer_id and l.id = w.lead_id
      where l.organization_id is distinct from place.organization_id))
$$;
