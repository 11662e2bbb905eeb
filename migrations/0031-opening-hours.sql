-- When a lot is open, by its own clock: for every day of the week from and until, and what holds on single days instead.
-- [{"day": "mon", "opens": "09:00", "closes": "18:00"}]; a closing time before the opening one is of the next day. No rows:
-- not known. [{"on": "2026-12-25", "name": "Christmas Day", "hours": [{"opens", "closes"}]}]; without hours closed.
alter table lots
  add column hours jsonb not null default '[]' check (jsonb_typeof(hours) = 'array'),
  add column holidays jsonb not null default '[]' check (jsonb_typeof(holidays) = 'array');

-- "Mon 09:00-12:00 13:00-18:00, Tue 09:00-18:00", as lists and files have it.
create function hours_in_words(hours jsonb) returns text language sql immutable parallel safe as $$
  select string_agg(initcap(d.day) || ' ' || d.times, ', ' order by d.place) from (
    select h ->> 'day' as day, array_position(array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], h ->> 'day') as place,
      string_agg((h ->> 'opens') || '-' || (h ->> 'closes'), ' ' order by h ->> 'opens') as times
    from jsonb_array_elements(hours) h group by 1, 2) d
$$;
