-- A run that stops while it reads leaves no rows of its second file behind, whichever way it stopped.
create function forget_feed_partners() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.feed_run_partners where customer_id = new.customer_id and run_id = new.id;
  return null;
end
$$;
create trigger forget_feed_partners after update of status on feed_runs for each row
  when (old.status = 'reading' and new.status in ('failed', 'cancelled'))
  execute function forget_feed_partners();
