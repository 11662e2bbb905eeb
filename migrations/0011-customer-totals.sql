-- The figures of every customer at once, for sorting and filtering by them: each table is read once, not once for each
-- customer. Of the customers of one page customer_figures() tells.
create function customer_totals()
returns table (customer_id bigint, organizations integer, people integer, lots integer, last_sign_in_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.id, coalesce(o.count, 0)::int, coalesce(u.count, 0)::int, coalesce(l.count, 0)::int, a.latest
  from public.customers c
  left join (select customer_id, count(*) from public.organizations group by customer_id) o on o.customer_id = c.id
  left join (select customer_id, count(*) from public.users group by customer_id) u on u.customer_id = c.id
  left join (select customer_id, count(*) from public.lots group by customer_id) l on l.customer_id = c.id
  left join (select customer_id, max(last_sign_in_at) as latest from public.user_access group by customer_id) a
    on a.customer_id = c.id
$$;
revoke execute on function customer_totals() from public;
grant execute on function customer_totals() to forecourt_iam;
