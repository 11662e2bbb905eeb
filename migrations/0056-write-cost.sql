-- What a write costs depends on what is written, not on the rows that are there already.

-- Search words were found by joining the changed records with the view of all records. One branch of the view gives an
-- int4 where the others give a bigint, so the planner could not look the records up in it: every statement that changed
-- a word read the whole table of that kind, of all customers. `offset 0` keeps the subquery as written, so that
-- its conditions reach each branch with the values of one record, and its primary key is used.
create or replace function search.write_words(of_kind text, customers bigint[], records bigint[], are_new boolean) returns void
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

-- A run writes its known vehicles first, then its new ones, 500 at a time. One index for both made each batch of known
-- ones pass over every new row that waits.
create index feed_run_rows_staged_new on feed_run_rows (customer_id, run_id, lot_id, id) where state = 'staged' and kind = 'new';
create index feed_run_rows_staged_known on feed_run_rows (customer_id, run_id, lot_id, id)
  where state = 'staged' and kind in ('changed', 'missing', 'same');
drop index feed_run_rows_staged;
