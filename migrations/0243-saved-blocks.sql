-- Blocks of promo pages and layouts that are kept under a name, to be copied into others. Belong to the customer.
create table saved_blocks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  -- The organization whose users may change them, besides users with access to the whole customer.
  saved_in bigint default nullif(current_setting('app.organization_id', true), '')::bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on saved_blocks for each row execute function touch_row('name_key');
call protect_tenant_table('saved_blocks', array['id']);
