-- The search of the product finds a buyer by every address and number of all their leads, not only by those in use.
create or replace view search.records as
  select customer_id, 'vehicle' as kind, id as record_id, organization_id,
    array[stock, year::text, make, model, trim] as texts, array[vin, right(vin, 8), right(vin, 6)] as whole
  from vehicles
  union all
  select customer_id, 'lot', id, organization_id, array[name, code, city], '{}' from lots
  union all
  select u.customer_id, 'person', u.id, coalesce(m.organization_id, 0), array[u.first_name, u.last_name, u.user_name], array[u.email]
  from users u left join memberships m on m.customer_id = u.customer_id and m.user_id = u.id
  union all
  select customer_id, 'organization', id, id, array[name], '{}' from organizations
  union all
  select id, 'customer', id, 0, array[name, legal_name], '{}' from customers
  union all
  select customer_id, 'lead', id, organization_id, array[vehicle_title], array[id::text, asked_vehicle ->> 'vin'] from leads
  union all
  -- A phone number as it was written, and its digits with and without the country.
  select p.customer_id, 'buyer', p.id, p.organization_id, array[p.name, p.phone] || array(
      select c.value from person_contacts c
      where c.customer_id = p.customer_id and c.kind = 'phone' and c.person_id = any (array(select p.id union all
        select x.id from people x where x.customer_id = p.customer_id and x.merged_into_id = p.id))),
    array[p.email, p.phone_e164, ltrim(p.phone_e164, '+'), right(p.phone_e164, 10)] || array(
      select w from person_contacts c
      cross join unnest(array[c.value_key, case when c.value_key like '+%' then ltrim(c.value_key, '+') end,
        case when c.value_key like '+%' then right(c.value_key, 10) end]) w
      where c.customer_id = p.customer_id and w is not null and c.person_id = any (array(select p.id union all
        select x.id from people x where x.customer_id = p.customer_id and x.merged_into_id = p.id)))
  from people p where p.merged_into_id is null;

-- Every record is read by its key, whatever the plan that is kept (see 0130).
-- Whoever is shown for these rows of people is written again.
create function write_buyers(customers bigint[], people bigint[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
declare
  of_customers bigint[];
  shown bigint[];
begin
  select array_agg(s.customer_id), array_agg(s.id) into of_customers, shown from (
    select distinct p.customer_id, coalesce(p.merged_into_id, p.id) as id from unnest(customers, people) g (customer_id, id)
    cross join lateral (select o.customer_id, o.id, o.merged_into_id from people o
      where o.customer_id = g.customer_id and o.id = g.id offset 0) p) s;
  if shown is not null then
    perform search.write_words('buyer', of_customers, shown, false);
  end if;
end
$$;
revoke execute on function write_buyers(bigint[], bigint[]) from public;

create function follow_contact_words() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    perform public.write_buyers(array_agg(customer_id), array_agg(person_id)) from new_rows having count(*) > 0;
  else
    perform public.write_buyers(array_agg(customer_id), array_agg(person_id)) from old_rows having count(*) > 0;
  end if;
  return null;
end
$$;
create trigger words_insert after insert on person_contacts referencing new table as new_rows
  for each statement execute function follow_contact_words();
create trigger words_delete after delete on person_contacts referencing old table as old_rows
  for each statement execute function follow_contact_words();

-- A merge or a split changes what the kept person is found by.
create function follow_merged_words() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set enable_seqscan = off as $$
begin
  perform public.write_buyers(array_agg(n.customer_id), array_agg(k.id)) from new_rows n
    join old_rows o on o.customer_id = n.customer_id and o.id = n.id
    cross join lateral (values (n.merged_into_id), (o.merged_into_id)) k (id)
    where n.merged_into_id is distinct from o.merged_into_id and k.id is not null having count(*) > 0;
  return null;
end
$$;
create trigger words_of_merged after update on people referencing old table as old_rows new table as new_rows
  for each statement execute function follow_merged_words();

select search.write_words('buyer', array_agg(customer_id), array_agg(id), true) from people where merged_into_id is null having count(*) > 0;
