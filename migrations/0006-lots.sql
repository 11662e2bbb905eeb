-- A lot holds vehicles. It belongs to one organization, and its vehicles belong to the same one: they move together.
create table lots (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  code text not null check (code = upper(code)),
  name text not null,
  type text not null default 'both' check (type in ('new', 'used', 'both', 'service')),
  address text,
  city text,
  region text,
  postal_code text,
  phone text,
  -- Null: the time zone of the organization.
  time_zone text,
  makes text[] not null default '{}',
  is_public boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  -- The IDs that feed providers use for this lot.
  dealer_ids text[] not null default '{}',
  -- Opening hours in the lot's time zone: [{"day": "mon", "opens": "09:00", "closes": "18:00"}]. A closing time before the
  -- opening time is on the next day. Empty: unknown.
  hours jsonb not null default '[]' check (jsonb_typeof(hours) = 'array'),
  -- Exceptions: [{"on": "2026-12-25", "name": "Christmas Day", "hours": [{"opens", "closes"}]}]; without hours, closed.
  holidays jsonb not null default '[]' check (jsonb_typeof(holidays) = 'array'),
  primary key (customer_id, id),
  unique (customer_id, code),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  unique (customer_id, organization_id, id)
);
create index lots_name on lots (customer_id, name, id);
create trigger touch before update on lots for each row execute function touch_row();
call protect_tenant_table('lots', array['id'], by_organization => true);

-- Figures of these customers for platform staff (all customers if null): counts and dates only. The identity role cannot
-- read lots, so this function counts for it.
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

-- The same figures for all customers, for sorting and filtering: each table is read once. For the customers of one page,
-- customer_figures() is faster.
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

-- The lot of each provider's dealer ID. Derived from `lots` by triggers only.
create table lot_dealer_ids (
  customer_id bigint not null,
  dealer_key text not null,
  lot_id bigint not null,
  constraint lot_dealer_ids_pkey primary key (customer_id, dealer_key),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete cascade
);
create index lot_dealer_ids_lot on lot_dealer_ids (customer_id, lot_id);
call protect_tenant_table('lot_dealer_ids', array['dealer_key'], operations => 'select', audited => false);

create function keep_dealer_ids() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.lot_dealer_ids d where d.customer_id = new.customer_id and d.lot_id = new.id;
  insert into public.lot_dealer_ids (customer_id, dealer_key, lot_id)
  select distinct new.customer_id, lower(btrim(one)), new.id from unnest(new.dealer_ids) one;
  return null;
end
$$;
create trigger dealer_ids_insert after insert on lots for each row
  when (cardinality(new.dealer_ids) > 0) execute function keep_dealer_ids();
create trigger dealer_ids_update after update of dealer_ids on lots for each row
  when (old.dealer_ids is distinct from new.dealer_ids) execute function keep_dealer_ids();

-- "Mon 09:00-12:00 13:00-18:00, Tue 09:00-18:00", for lists and files.
create function hours_in_words(hours jsonb) returns text language sql immutable parallel safe as $$
  select string_agg(initcap(d.day) || ' ' || d.times, ', ' order by d.place) from (
    select h ->> 'day' as day, array_position(array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], h ->> 'day') as place,
      string_agg((h ->> 'opens') || '-' || (h ->> 'closes'), ' ' order by h ->> 'opens') as times
    from jsonb_array_elements(hours) h group by 1, 2) d
$$;
