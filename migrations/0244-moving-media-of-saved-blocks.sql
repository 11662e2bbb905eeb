-- As in 0240, also for saved blocks.
-- Lets everything of the customer that shows moved files show them where they are now; also what the caller may not see, and what pages
-- and layouts were before. Returns how many vehicles, pages, layouts and saved blocks.
create or replace function move_media_references(olds text[], news text[]) returns integer
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
  update saved_blocks set blocks = moved_media_blocks(blocks, olds, news)
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
