-- The store that has the files of this installation: a random word in its folder, or the account of Azure Storage. A
-- process with another store is refused at its start. Null until the first start, and after a restore.
alter table iam.installation add column file_store text;

-- When the newest feed and the newest channel began to run, of any customer: for the metrics, which tell no more of them.
create function last_runs() returns table (what text, at timestamptz)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select 'feeds', max(r.at) from customers c cross join lateral (select f.created_at as at from feed_runs f
    where f.customer_id = c.id order by f.created_at desc, f.id desc limit 1) r
  union all
  select 'channels', max(r.at) from channels c cross join lateral (select x.started_at as at from channel_runs x
    where x.customer_id = c.customer_id and x.channel_id = c.id order by x.id desc limit 1) r
$$;
revoke execute on function last_runs() from public;
grant execute on function last_runs() to forecourt_jobs;
