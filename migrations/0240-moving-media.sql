-- Moving files and folders of the media library, with what refers to them (docs/decisions/0260-moving-media.md).

-- One row per move, for an undo within a day, and for finishing what a killed server began. Of each customer, one runs at a time; what
-- must not happen meanwhile (deleting and renaming) is a running row without items.
create table media_moves (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id uuid not null default gen_random_uuid(),
  -- [{"from", "to"}]: paths from the top of the media. While it runs, what is to be moved; then, what was.
  items jsonb not null default '[]' check (jsonb_typeof(items) = 'array'),
  is_running boolean not null default true,
  touched_at timestamptz not null default app_now(),
  primary key (customer_id, id)
);
create unique index media_moves_running on media_moves (customer_id) where is_running;
create index media_moves_touched on media_moves (customer_id, touched_at);
call protect_tenant_table('media_moves', array['id'], audited => false);

-- Where a file is after its folder, or it itself, was moved.
create function moved_media_path(path text, olds text[], news text[]) returns text
language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select m.new || substr(path, length(m.old) + 1) from unnest(olds, news) m (old, new)
    where path = m.old or starts_with(path, m.old || '/') limit 1), path)
$$;

-- Blocks whose pictures were moved.
create function moved_media_blocks(part jsonb, olds text[], news text[]) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
begin
  return case jsonb_typeof(part)
    when 'array' then (select coalesce(jsonb_agg(moved_media_blocks(e.value, olds, news) order by e.place), '[]')
      from jsonb_array_elements(part) with ordinality e (value, place))
    when 'object' then (select coalesce(jsonb_object_agg(e.key, case when e.key = 'path' and jsonb_typeof(e.value) = 'string'
        then to_jsonb(moved_media_path(e.value #>> '{}', olds, news)) else moved_media_blocks(e.value, olds, news) end), '{}')
      from jsonb_each(part) e)
    else part end;
end
$$;

-- Whether blocks show any of these files, or files in these folders.
create function shows_media(blocks jsonb, paths text[]) returns boolean
language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from jsonb_path_query(blocks, '$[*].data.**.path') x, unnest(paths) f (path)
    where x #>> '{}' = f.path or starts_with(x #>> '{}', f.path || '/'))
$$;

-- Lets everything of the customer that shows moved files show them where they are now; also what the caller may not see, and what pages
-- and layouts were before. Returns how many vehicles, pages and layouts.
create function move_media_references(olds text[], news text[]) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  own constant bigint := nullif(current_setting('app.customer_id', true), '')::bigint;
  changed integer;
  total integer := 0;
  layouts bigint[];
begin
  -- In the order in which others lock them.
  perform from vehicles v where v.customer_id = own and v.photos @? '$[*] ? (@.kind == "file")'
    and exists (select from jsonb_array_elements(v.photos) p where p ->> 'kind' = 'file'
      and moved_media_path(p ->> 'place', olds, news) <> p ->> 'place') order by v.id for update;
  update vehicles v set photos = (select jsonb_agg(case when p.value ->> 'kind' = 'file'
      then p.value || jsonb_build_object('place', moved_media_path(p.value ->> 'place', olds, news)) else p.value end order by p.place)
    from jsonb_array_elements(v.photos) with ordinality p (value, place))
  where v.customer_id = own and v.photos @? '$[*] ? (@.kind == "file")'
    and exists (select from jsonb_array_elements(v.photos) p where p ->> 'kind' = 'file'
      and moved_media_path(p ->> 'place', olds, news) <> p ->> 'place');
  get diagnostics changed = row_count;
  total := total + changed;
  update promo_page_versions set blocks = moved_media_blocks(blocks, olds, news)
    where customer_id = own and shows_media(blocks, olds);
  update promo_pages set blocks = moved_media_blocks(blocks, olds, news)
    where customer_id = own and shows_media(blocks, olds);
  get diagnostics changed = row_count;
  total := total + changed;
  with moved as (
    update dvp_layouts set top = moved_media_blocks(top, olds, news), bottom = moved_media_blocks(bottom, olds, news)
      where customer_id = own and (shows_media(top, olds) or shows_media(bottom, olds)) returning id)
  select coalesce(array_agg(id), '{}') into layouts from moved;
  update dvp_layout_versions set top = moved_media_blocks(top, olds, news), bottom = moved_media_blocks(bottom, olds, news)
    where customer_id = own and (shows_media(top, olds) or shows_media(bottom, olds));
  -- As each save of a layout does.
  insert into dvp_layout_versions (customer_id, layout_id, version, name, note, allowed, is_ordered, top, bottom, created_at, created_by)
    select customer_id, id, version, name, note, allowed, is_ordered, top, bottom, updated_at, updated_by from dvp_layouts
    where customer_id = own and id = any(layouts) on conflict do nothing;
  return total + cardinality(layouts);
end
$$;
revoke execute on function move_media_references(text[], text[]) from public;
grant execute on function move_media_references(text[], text[]) to forecourt_app;

-- What pictures of the media library show, in words: what a page or layout starts with that takes the picture.
create table media_texts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  -- As in media_contents.
  folder text collate "C" not null,
  name text collate "C" not null,
  path_key text not null generated always as (md5(folder || '/' || name)) stored,
  folder_start text collate "C" not null generated always as (left(folder, 300)) stored,
  alt text not null check (length(alt) between 1 and 200),
  primary key (customer_id, id)
);
create unique index media_texts_path on media_texts (customer_id, path_key);
create index media_texts_folder on media_texts (customer_id, folder_start);
call protect_tenant_table('media_texts', array['id']);
