-- What a feed made of a vehicle names the run of that feed: jobs are forgotten, runs are not.
alter table vehicle_history
  add column feed_run_id bigint default nullif(current_setting('app.feed_run_id', true), '')::bigint;

-- What runs wrote before this, by the rows they wrote and the time they took for it.
update vehicle_history h set feed_run_id = r.id
from feed_runs r join feed_run_rows t on t.customer_id = r.customer_id and t.run_id = r.id
where h.customer_id = t.customer_id and h.vehicle_id = t.vehicle_id and h.job_id is not null
  and t.state in ('applied', 'undone', 'kept') and h.at between r.read_at and r.applied_at;
