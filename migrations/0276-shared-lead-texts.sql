-- The text of a document with several leads goes with the last of them, not with the first that is deleted.
create or replace function delete_inbound_text() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.lead_sources s using public.inbound_messages m
  where m.customer_id = old.customer_id and m.id = old.message_id and s.customer_id = m.customer_id and s.id = m.source_id
    and not exists (select from public.inbound_message_leads i where i.customer_id = m.customer_id and i.message_id = m.id);
  return null;
end
$$;
