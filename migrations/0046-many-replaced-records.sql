-- Versions before and after a statement were joined by a plan that was made for few rows and then kept: many rows in one
-- statement took the square of their number. Grouped they take their number, whatever the plan was made for.
create or replace function stale_by_replaced_records() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform public.mark_stale(c.customer_id, array_agg(c.source_id))
  from (select distinct v.customer_id, v.source_id from (
      select s.customer_id, s.source_id, min(s.replaced_at) as before, max(s.replaced_at) as after, count(s.replaced_at) as replaced
      from (select customer_id, id, version, source_id, replaced_at from former
        union all select customer_id, id, version, source_id, replaced_at from changed) s
      group by s.customer_id, s.id, s.version, s.source_id) v
    where v.replaced = 1 or v.before is distinct from v.after) c
  group by c.customer_id;
  return null;
end
$$;
