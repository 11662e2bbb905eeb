-- What the pages of a customer may consist of. Head office fills the locked blocks.
create table dvp_layouts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  note text,
  -- Types of blocks in their order: contract/marketing/pages/blocks.ts. Empty: all.
  allowed text[] not null default '{}',
  is_ordered boolean not null default false,
  -- Locked blocks, before and after those of a page.
  top jsonb not null default '[]' check (jsonb_typeof(top) = 'array'),
  bottom jsonb not null default '[]' check (jsonb_typeof(bottom) = 'array'),
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key)
);
create trigger touch before update on dvp_layouts for each row execute function touch_row('name_key');
call protect_tenant_table('dvp_layouts', array['id']);

-- Pages of a customer's public sites: /p/{slug}. Title, description, blocks and days are the draft of the next version.
create table promo_pages (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  name text not null,
  name_key text not null generated always as (lower(name)) stored,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 60),
  -- The store that it belongs to; null: all of them.
  lot_id bigint,
  layout_id bigint,
  title text not null,
  description text,
  blocks jsonb not null default '[]' check (jsonb_typeof(blocks) = 'array'),
  -- In the customer's time zone.
  starts_on date,
  ends_on date,
  is_in_menu boolean not null default false,
  is_in_footer boolean not null default false,
  -- The newest version; null before the first one is published.
  published_number integer,
  -- Set while it is taken from the site.
  withdrawn_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, name_key),
  unique (customer_id, slug),
  foreign key (customer_id, lot_id) references lots (customer_id, id) on delete set null (lot_id),
  foreign key (customer_id, layout_id) references dvp_layouts (customer_id, id)
);
create index promo_pages_lot on promo_pages (customer_id, lot_id);
create index promo_pages_layout on promo_pages (customer_id, layout_id);
create trigger touch before update on promo_pages for each row execute function touch_row('name_key');
call protect_tenant_table('promo_pages', array['id']);

-- What visitors saw. Never changes. A version is shown from its first day on, until a newer one starts or its last day is over: its
-- schedule is the row itself. Without a foreign key, so that a deletion of the page that is undone brings its versions back.
create table promo_page_versions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  page_id bigint not null,
  number integer not null check (number > 0),
  title text not null,
  description text,
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array'),
  starts_on date,
  ends_on date,
  published_at timestamptz not null default app_now(),
  published_by text default nullif(current_setting('app.actor_name', true), ''),
  -- When its page was deleted.
  deleted_at timestamptz,
  primary key (customer_id, page_id, number)
);
call protect_tenant_table('promo_page_versions', array['page_id', 'number'], operations => 'select, insert, delete');

-- Former addresses of pages that were published, which redirect to the present one.
create table promo_page_addresses (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  slug text not null check (length(slug) <= 60),
  page_id bigint not null,
  created_at timestamptz not null default app_now(),
  deleted_at timestamptz,
  primary key (customer_id, slug)
);
create index promo_page_addresses_page on promo_page_addresses (customer_id, page_id);
call protect_tenant_table('promo_page_addresses', array['slug'], operations => 'select, insert, update, delete');

-- What belongs to a deleted page stays while the deletion can be undone.
create function note_deleted_page() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  page promo_pages := case when tg_op = 'DELETE' then old else new end;
  deleted timestamptz := case when tg_op = 'DELETE' then app_now() end;
begin
  update promo_page_versions set deleted_at = deleted where customer_id = page.customer_id and page_id = page.id;
  update promo_page_addresses set deleted_at = deleted where customer_id = page.customer_id and page_id = page.id;
  return null;
end
$$;
create trigger deleted_page after insert or delete on promo_pages for each row execute function note_deleted_page();
create policy queue on promo_page_versions to forecourt_jobs using (true);
grant select, delete on promo_page_versions to forecourt_jobs;
create policy queue on promo_page_addresses to forecourt_jobs using (true);
grant select, delete on promo_page_addresses to forecourt_jobs;

-- The page whose form was sent.
alter table form_submissions add promo_page_id bigint;
create index form_submissions_promo_page on form_submissions (customer_id, promo_page_id) where promo_page_id is not null;

-- Users who may do something with forms may do the same with pages, and read the layouts; only those who reach the whole customer
-- change layouts.
call grant_function(37, same_as => 28);
call grant_function(35, same_as => 28, operations => array[1, 2, 3, 4, 5, 6]);
