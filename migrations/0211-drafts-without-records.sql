-- A draft whose records were all deleted can be deleted with them, unless it was approved before. Otherwise a draft that was begun by
-- mistake would keep its period for ever. Returns how many records it still has; then nothing is deleted.
create function drop_deleted_records(inventory bigint) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_customer constant bigint := nullif(current_setting('app.customer_id', true), '')::bigint;
  there integer;
begin
  select count(*) into there from public.activity_records r
  join public.emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
  where s.customer_id = of_customer and s.inventory_id = inventory and r.replaced_at is null;
  if there = 0 then
    delete from public.activity_records r using public.emission_sources s, public.carbon_inventories i
    where s.customer_id = of_customer and s.inventory_id = inventory and r.customer_id = s.customer_id and r.source_id = s.id
      and i.customer_id = of_customer and i.id = inventory and i.status = 'draft'
      and not exists (select from public.inventory_approvals a where a.customer_id = of_customer and a.inventory_id = inventory);
  end if;
  return there;
end
$$;
revoke execute on function drop_deleted_records(bigint) from public;
grant execute on function drop_deleted_records(bigint) to forecourt_app;
