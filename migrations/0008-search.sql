-- Two kinds of search. Substring search within a list: LIKE is not leakproof, so a policy would keep its index from being
-- used. One narrow function therefore searches for the request and checks the tenant itself; its owner is a role that reads
-- all vehicles, owns nothing else, and has no members. Prefix search over all kinds of records, for the palette: a table of
-- words with the same policies as the records, searched by ranges of text, which are leakproof.
do $$
begin
  if not exists (select from pg_roles where rolname = 'forecourt_search') then
    begin
      create role forecourt_search nologin noinherit nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
end
$$;

-- Trusted extensions: the owner of the database may install them.
create extension if not exists pg_trgm;

create extension if not exists btree_gin;

create function vehicle_words(name_key text, stock_key text, vin text) returns text language sql immutable parallel safe as $$
  select name_key || ' ' || coalesce(stock_key, '') || ' ' || coalesce(lower(vin), '')
$$;
create index vehicles_search on vehicles using gin (customer_id, vehicle_words(name_key, stock_key, vin) gin_trgm_ops);
create policy search on vehicles for select to forecourt_search using (true);
grant select on vehicles to forecourt_search;

create schema search;
grant usage on schema search to forecourt_app, forecourt_search;

-- The vehicles in reach whose search text contains all patterns. The index is used for the first pattern.
create function search.vehicles(first_pattern text, other_patterns text[]) returns setof bigint
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select v.id from public.vehicles v
  where v.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint)
    and (v.organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
      or (select current_setting('app.reach', true)) = 'customer')
    and public.vehicle_words(v.name_key, v.stock_key, v.vin) like first_pattern
    and not exists (select from unnest(other_patterns) as other (pattern)
      where public.vehicle_words(v.name_key, v.stock_key, v.vin) not like other.pattern)
$$;
revoke execute on function search.vehicles(text, text[]) from public;
grant execute on function search.vehicles(text, text[]) to forecourt_app;

-- Handing the function over needs membership in the role and CREATE on the schema for a moment.
grant forecourt_search to current_user;
grant create on schema search to forecourt_search;
alter function search.vehicles(text, text[]) owner to forecourt_search;
revoke create on schema search from forecourt_search;
revoke forecourt_search from current_user;

-- The words of texts in lower case, some of them twice. A word with punctuation also counts without it and by its parts, so
-- that 150 and f150 find an F-150.
create function search.words_of(texts text[]) returns table (word text) language sql immutable parallel safe as $$
  select btrim(w, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~')
  from (select translate(public.fold_case(array_to_string(texts, ' ')), E'\t\n\r', '   ') as all_words offset 0) t
  cross join lateral string_to_table(
    case when all_words = translate(all_words, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '') then all_words
    else all_words || ' ' || translate(all_words, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))
      || ' ' || translate(all_words, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '') end, ' ') w
  where btrim(w, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~') <> ''
$$;

-- Everything that can be found, and by whom: `texts` by each of their words, `whole` as they are.
create view search.records as
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
  select id, 'customer', id, 0, array[name, legal_name], '{}' from customers;

create table search_words (
  customer_id bigint not null,
  kind text collate "C" not null check (kind in ('vehicle', 'lot', 'person', 'organization', 'customer')),
  word text collate "C" not null,
  record_id bigint not null,
  -- The organization whose users find it; 0 if that needs customer-wide reach. A user is found in each of their organizations.
  organization_id bigint not null,
  primary key (customer_id, kind, word, record_id, organization_id)
);
create index search_words_record on search_words (customer_id, kind, record_id, word);

-- Platform staff search across all customers.
create index search_words_customers on search_words (word, record_id) where kind = 'customer';

-- All users of a customer may know the names of its organizations.
call protect_tenant_table('search_words', array['kind', 'word', 'record_id', 'organization_id'], operations => 'select',
  audited => false, narrowed_by => $rule$
  organization_id = (select nullif(current_setting('app.organization_id', true), '')::bigint)
  or kind = 'organization'
  or (select current_setting('app.reach', true)) = 'customer'
$rule$);
create policy identity on search_words for select to forecourt_iam using (kind = 'customer');
grant select on search_words to forecourt_iam;

-- The cost of a write depends on what is written, not on existing rows. `offset 0` keeps the subquery as written, so that its
-- conditions reach each branch of the view with the values of one record, and its primary key is used. Without it, one branch
-- returns int4 where the others return bigint, and every statement that changed a word read whole tables.
create function search.write_words(of_kind text, customers bigint[], records bigint[], are_new boolean) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp set jit = off as $$
begin
  if not are_new then
    delete from public.search_words w using unnest(customers, records) as c (customer_id, id)
    where w.customer_id = c.customer_id and w.kind = of_kind and w.record_id = c.id;
  end if;
  insert into public.search_words (customer_id, kind, word, record_id, organization_id)
  select r.customer_id, r.kind, left(f.word, 100), r.record_id, r.organization_id
  from unnest(customers, records) as c (customer_id, id)
  cross join lateral (
    select s.* from search.records s
    where s.customer_id = c.customer_id and s.record_id = c.id and s.kind = of_kind offset 0
  ) r
  cross join lateral (
    select word from search.words_of(r.texts)
    union all select public.fold_case(w) from unnest(r.whole) w where w <> ''
  ) f
  on conflict do nothing;
end
$$;
revoke execute on function search.words_of(text[]), search.write_words(text, bigint[], bigint[], boolean) from public;

-- Updates the search words once per statement, only for records whose words or organization changed. Arguments: the kind, the
-- columns of the customer and of the record, and the columns that the words depend on.
create function follow_words() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  customers bigint[];
  records bigint[];
begin
  if tg_op = 'UPDATE' then
    execute format('select array_agg(n.%1$I), array_agg(n.%2$I) from new_rows n join old_rows o on o.%1$I = n.%1$I and o.%2$I = n.%2$I
      where (%3$s) is distinct from (%4$s)', tg_argv[1], tg_argv[2],
      (select string_agg('n.' || quote_ident(c), ', ') from unnest(tg_argv[3:]) c),
      (select string_agg('o.' || quote_ident(c), ', ') from unnest(tg_argv[3:]) c)) into customers, records;
  elsif tg_op = 'INSERT' then
    execute format('select array_agg(%I), array_agg(%I) from new_rows', tg_argv[1], tg_argv[2]) into customers, records;
  else
    execute format('select array_agg(%I), array_agg(%I) from old_rows', tg_argv[1], tg_argv[2]) into customers, records;
  end if;
  if customers is not null then
    perform search.write_words(tg_argv[0], customers, records, tg_op = 'INSERT' and tg_table_name <> 'memberships');
  end if;
  return null;
end
$$;

do $$
declare
  followed record;
begin
  for followed in select * from (values
    ('vehicles', 'vehicle', 'customer_id', 'id', array['organization_id', 'vin', 'stock', 'year', 'make', 'model', 'trim']),
    ('lots', 'lot', 'customer_id', 'id', array['organization_id', 'name', 'code', 'city']),
    ('users', 'person', 'customer_id', 'id', array['first_name', 'last_name', 'user_name', 'email']),
    ('memberships', 'person', 'customer_id', 'user_id', array['organization_id']),
    ('organizations', 'organization', 'customer_id', 'id', array['name']),
    ('customers', 'customer', 'id', 'id', array['name', 'legal_name'])) f (source, kind, customer_column, id_column, columns)
  loop
    execute format('create trigger words_insert after insert on %I referencing new table as new_rows
      for each statement execute function follow_words(%L, %L, %L)',
      followed.source, followed.kind, followed.customer_column, followed.id_column);
    execute format('create trigger words_delete after delete on %I referencing old table as old_rows
      for each statement execute function follow_words(%L, %L, %L)',
      followed.source, followed.kind, followed.customer_column, followed.id_column);
    execute format('create trigger words_update after update on %I referencing old table as old_rows new table as new_rows
      for each statement execute function follow_words(%L, %L, %L, %s)',
      followed.source, followed.kind, followed.customer_column, followed.id_column,
      (select string_agg(quote_literal(c), ', ') from unnest(followed.columns) c));
  end loop;
end
$$;
