-- Copies of the photos of published vehicles that are on other servers, made in the background
-- (docs/decisions/0256-photos-of-feeds-are-copied-ahead.md).

-- One row per address that a published vehicle names, or named within the last 90 days.
create table photo_copies (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  -- The SHA-256 of the address.
  key text not null check (key ~ '^[0-9a-f]{64}$'),
  place text not null,
  host text not null,
  -- The SHA-256 of the photo, by which it is stored once; null: there is no copy yet.
  content text check (content ~ '^[0-9a-f]{64}$'),
  -- What the photo needs in storage, with the pictures made of it.
  bytes bigint check (bytes > 0),
  -- What the server said about this version of the photo, for asking whether it changed.
  etag text,
  last_modified text,
  -- When this version was copied, and when the server last confirmed it.
  copied_at timestamptz,
  checked_at timestamptz,
  failures integer not null default 0,
  -- Why the last attempt failed.
  problem text,
  -- When it is copied, or looked at again.
  next_at timestamptz not null,
  -- Since when no published vehicle names the address.
  unused_since timestamptz,
  primary key (customer_id, key)
);
create index photo_copies_due on photo_copies (customer_id, host, next_at) where unused_since is null;
create index photo_copies_content on photo_copies (customer_id, content) where content is not null;
create index photo_copies_unused on photo_copies (customer_id, unused_since) where unused_since is not null;
call protect_tenant_table('photo_copies', array['key'], audited => false);

-- Which published vehicles name an address.
create table photo_uses (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  vehicle_id bigint not null,
  key text not null,
  primary key (customer_id, vehicle_id, key),
  foreign key (customer_id, key) references photo_copies (customer_id, key) on delete cascade
);
create index photo_uses_key on photo_uses (customer_id, key);
call protect_tenant_table('photo_uses', array['vehicle_id', 'key'], audited => false);

-- Per customer and host: when its next photo is due, the lease of the server that copies them, and how the host answers.
create table photo_hosts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  host text not null,
  next_run_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  turn_at timestamptz,
  -- How often the host did not answer since it last did, until when it is left alone, and what happened.
  failures integer not null default 0,
  attempts integer not null default 0,
  rests_until timestamptz,
  problem text,
  primary key (customer_id, host)
);
create index photo_hosts_host on photo_hosts (host);
call protect_tenant_table('photo_hosts', array['host'], audited => false);
create policy queue on photo_hosts to forecourt_jobs using (true) with check (true);
grant select, update on photo_hosts to forecourt_jobs;

-- Vehicles whose photos may have to be copied or not anymore, written by the triggers below in the transaction of each change.
-- Only added to and deleted from, so that changes never wait for each other here.
create table photo_requests (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  vehicle_id bigint not null,
  primary key (customer_id, id)
);
call protect_tenant_table('photo_requests', array['id'], operations => 'select, delete', audited => false);
create policy queue on photo_requests to forecourt_jobs using (true);
grant select (customer_id) on photo_requests to forecourt_jobs;

create function request_photos() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into photo_requests (customer_id, vehicle_id) select customer_id, id from new_rows where publishable;
  elsif tg_op = 'DELETE' then
    insert into photo_requests (customer_id, vehicle_id) select customer_id, id from old_rows where publishable;
  else
    insert into photo_requests (customer_id, vehicle_id)
    select n.customer_id, n.id from new_rows n join old_rows o on o.customer_id = n.customer_id and o.id = n.id
    where (n.publishable or o.publishable)
      and (n.publishable <> o.publishable or n.lot_id <> o.lot_id or n.photos <> o.photos);
  end if;
  return null;
end
$$;
create trigger photos_insert after insert on vehicles referencing new table as new_rows
  for each statement execute function request_photos();
create trigger photos_update after update on vehicles referencing old table as old_rows new table as new_rows
  for each statement execute function request_photos();
create trigger photos_delete after delete on vehicles referencing old table as old_rows
  for each statement execute function request_photos();

-- A lot that is shown or hidden, and a customer who is back.
create function request_photos_of_lot() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into photo_requests (customer_id, vehicle_id) select v.customer_id, v.id from vehicles v
    where v.customer_id = new.customer_id and v.organization_id = new.organization_id and v.lot_id = new.id and v.publishable;
  return null;
end
$$;
create trigger photos_update after update on lots for each row
  when (old.is_visible is distinct from new.is_visible) execute function request_photos_of_lot();
create function request_photos_of_customer() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into photo_requests (customer_id, vehicle_id) select v.customer_id, v.id from vehicles v
    where v.customer_id = new.id and v.publishable;
  return null;
end
$$;
create trigger photos_update after update on customers for each row
  when (old.status is distinct from new.status and new.status = 'active') execute function request_photos_of_customer();
insert into photo_requests (customer_id, vehicle_id) select customer_id, id from vehicles where publishable;
