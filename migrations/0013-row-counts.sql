-- How many rows there are, without counting them: each statement writes what it added or took away, and now and then
-- what was written is added up. Nobody waits for anybody, as they would for one number.
create table row_counts (
  customer_id bigint not null,
  source text collate "C" not null,
  organization_id bigint not null,
  id bigint generated always as identity,
  rows bigint not null,
  primary key (customer_id, source, organization_id, id)
);
call protect_tenant_table('row_counts', array['source', 'organization_id', 'id'], by_organization => true,
  operations => 'select', audited => false);

-- Part of the transaction that it counts for: the number is there with the rows, or not at all.
create function count_rows() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customers bigint[];
begin
  if tg_op = 'UPDATE' then
    with moved as (
      select n.customer_id, n.organization_id as into_organization, o.organization_id as from_organization from new_rows n
      join old_rows o on o.customer_id = n.customer_id and o.id = n.id and o.organization_id <> n.organization_id
    ), written as (
      insert into row_counts (customer_id, source, organization_id, rows)
      select customer_id, tg_table_name, organization_id, sum(more) from (
        select customer_id, into_organization as organization_id, 1 as more from moved
        union all select customer_id, from_organization, -1 from moved) m
      group by 1, 3 having sum(more) <> 0 returning customer_id)
    select array_agg(distinct customer_id) into customers from written;
  elsif tg_op = 'INSERT' then
    with written as (
      insert into row_counts (customer_id, source, organization_id, rows)
      select customer_id, tg_table_name, organization_id, count(*) from new_rows group by 1, 3 returning customer_id)
    select array_agg(distinct customer_id) into customers from written;
  else
    with written as (
      insert into row_counts (customer_id, source, organization_id, rows)
      select customer_id, tg_table_name, organization_id, -count(*) from old_rows group by 1, 3 returning customer_id)
    select array_agg(distinct customer_id) into customers from written;
  end if;
  -- Every so often what was written is added up; what another transaction adds up right now is left to it.
  if customers is not null and lastval() % 32 = 0 then
    with added as (
      delete from row_counts c using (
        select customer_id, source, organization_id, id from row_counts
        where customer_id = any(customers) and source = tg_table_name for update skip locked) free
      where (c.customer_id, c.source, c.organization_id, c.id) = (free.customer_id, free.source, free.organization_id, free.id)
      returning c.customer_id, c.source, c.organization_id, c.rows
    )
    insert into row_counts (customer_id, source, organization_id, rows)
    select customer_id, source, organization_id, sum(rows) from added group by 1, 2, 3 having sum(rows) <> 0;
  end if;
  return null;
end
$$;
create trigger count_insert after insert on vehicles referencing new table as new_rows for each statement execute function count_rows();
create trigger count_delete after delete on vehicles referencing old table as old_rows for each statement execute function count_rows();
create trigger count_update after update on vehicles referencing old table as old_rows new table as new_rows
  for each statement execute function count_rows();
insert into row_counts (customer_id, source, organization_id, rows)
select customer_id, 'vehicles', organization_id, count(*) from vehicles group by 1, 3;
