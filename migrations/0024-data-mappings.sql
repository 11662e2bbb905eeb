-- What values of feeds mean: a word as a feed writes it, and the customer's word for it. Kept by the customer for all its
-- rooftops, over what the product knows itself.
create table value_mappings (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  field text not null check (field in ('condition', 'make', 'model', 'body', 'genericColour', 'fuel', 'electrification',
    'transmission', 'drivetrain')),
  raw text not null,
  -- Without case and spare blanks, as contract/inventory/values/mapped-fields.ts makes it.
  raw_key text not null,
  -- Null: passed over, as if the feed had said nothing.
  canonical text,
  -- Null: whoever sends it.
  provider_mapping_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  constraint value_mappings_value unique nulls not distinct (customer_id, field, raw_key, provider_mapping_id),
  foreign key (customer_id, provider_mapping_id) references provider_mappings (customer_id, id) on delete cascade
);
create trigger touch before update on value_mappings for each row execute function touch_row();
call protect_tenant_table('value_mappings', array['id']);

-- What feeds wrote and nobody has a word for. A value leaves the queue by being mapped, and comes back when that is undone.
create table unmapped_values (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  field text not null check (field in ('condition', 'make', 'model', 'body', 'genericColour', 'fuel', 'electrification',
    'transmission', 'drivetrain')),
  raw text not null,
  raw_key text not null,
  -- The mapping and the run that wrote it last, and how many rows of that run did.
  provider_mapping_id bigint,
  run text,
  rows integer not null check (rows > 0),
  -- Of some of those rows: what they say is told with the value, and its vehicles are shown to whoever reaches them.
  vins text[] not null default '{}',
  -- What it may mean, in percent, and a sentence that says why.
  suggestion text,
  certainty integer check (certainty between 0 and 100),
  reason text,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (customer_id, id),
  constraint unmapped_values_value unique (customer_id, field, raw_key),
  foreign key (customer_id, provider_mapping_id) references provider_mappings (customer_id, id)
    on delete set null (provider_mapping_id)
);
create index unmapped_values_mapping on unmapped_values (customer_id, provider_mapping_id);
call protect_tenant_table('unmapped_values', array['id'], audited => false);

-- By what numbers providers call a lot.
alter table lots add column dealer_ids text[] not null default '{}';

-- The same the other way round: a number leads to one lot. It follows from the lots and is written by nobody else.
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

-- Dealer ids that feeds name and no lot has. One leaves the queue when a lot gets it.
create table unmatched_dealer_ids (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  dealer_id text not null,
  dealer_key text not null,
  -- What the feed is called, and the rows of its last run that name the number.
  source text,
  run text,
  rows integer not null check (rows > 0),
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (customer_id, id),
  unique (customer_id, dealer_key)
);
call protect_tenant_table('unmatched_dealer_ids', array['id'], audited => false);
