-- What the platform's staff see of these customers, null for all: numbers and moments, nothing that is in them. The
-- role of identity reads no rows of lots, so the function counts for it.
create function customer_figures(wanted bigint[])
returns table (customer_id bigint, organizations integer, people integer, lots integer, last_sign_in_at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select c.id,
    (select count(*) from public.organizations o where o.customer_id = c.id)::int,
    (select count(*) from public.users u where u.customer_id = c.id)::int,
    (select count(*) from public.lots l where l.customer_id = c.id)::int,
    (select max(a.last_sign_in_at) from public.user_access a where a.customer_id = c.id)
  from public.customers c
  where wanted is null or c.id = any(wanted)
$$;
revoke execute on function customer_figures(bigint[]) from public;
grant execute on function customer_figures(bigint[]) to forecourt_iam;
