-- The search of the product finds leads by number and vehicle, and buyers by name, email address and phone number.
alter table search_words drop constraint search_words_kind_check;
alter table search_words add constraint search_words_kind_check
  check (kind in ('vehicle', 'lead', 'buyer', 'lot', 'person', 'organization', 'customer'));

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
  select customer_id, 'buyer', id, organization_id, array[name, phone],
    array[email, phone_e164, ltrim(phone_e164, '+'), right(phone_e164, 10)]
  from people where merged_into_id is null;

do $$
declare
  followed record;
begin
  for followed in select * from (values
    ('leads', 'lead', array['organization_id', 'vehicle_title', 'asked_vehicle']),
    ('people', 'buyer', array['organization_id', 'name', 'email', 'phone', 'phone_e164', 'merged_into_id'])) f (source, kind, columns)
  loop
    execute format('create trigger words_insert after insert on %I referencing new table as new_rows
      for each statement execute function follow_words(%L, %L, %L)', followed.source, followed.kind, 'customer_id', 'id');
    execute format('create trigger words_delete after delete on %I referencing old table as old_rows
      for each statement execute function follow_words(%L, %L, %L)', followed.source, followed.kind, 'customer_id', 'id');
    execute format('create trigger words_update after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function follow_words(%L, %L, %L, %s)', followed.source, followed.kind, 'customer_id', 'id',
      (select string_agg(quote_literal(c), ', ') from unnest(followed.columns) c));
  end loop;
end
$$;

select search.write_words('lead', array_agg(customer_id), array_agg(id), true) from leads having count(*) > 0;
select search.write_words('buyer', array_agg(customer_id), array_agg(id), true) from people having count(*) > 0;
