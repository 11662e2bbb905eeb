-- Which vehicles show files of the media, so that a file that is used is not deleted or renamed. Few vehicles have files of their own:
-- photos of feeds are addresses.
create index vehicles_with_files on vehicles (customer_id) where photos @? '$[*] ? (@.kind == "file")';

-- How many vehicles of the customer show any of these files, or files in these folders; also those that the caller may not see.
create function count_photo_uses(paths text[]) returns integer
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*)::int from public.vehicles v
  where v.customer_id = nullif(current_setting('app.customer_id', true), '')::bigint
    and v.photos @? '$[*] ? (@.kind == "file")'
    and exists (select from jsonb_array_elements(v.photos) p, unnest(paths) f (path)
      where p ->> 'kind' = 'file' and (p ->> 'place' = f.path or starts_with(p ->> 'place', f.path || '/')))
$$;
revoke execute on function count_photo_uses(text[]) from public;
grant execute on function count_photo_uses(text[]) to forecourt_app;
