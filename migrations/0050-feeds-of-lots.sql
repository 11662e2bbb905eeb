-- What a feed does is known to the people whose vehicles it brings: in the history of each vehicle, and as a feed of theirs.

-- Jobs are forgotten, runs are not.
alter table vehicle_history
  add column feed_run_id bigint default nullif(current_setting('app.feed_run_id', true), '')::bigint;

-- What runs wrote before this, by the rows they wrote and the time they took for it.
update vehicle_history h set feed_run_id = r.id
from feed_runs r join feed_run_rows t on t.customer_id = r.customer_id and t.run_id = r.id
where h.customer_id = t.customer_id and h.vehicle_id = t.vehicle_id and h.job_id is not null
  and t.state in ('applied', 'undone', 'kept') and h.at between r.read_at and r.applied_at;

-- A source whose lots are all of one organization is seen there, and so are its runs; its rows, as far as a lot is known.
-- Who set it up stays its owner. None of this is a change that people made.
alter table feed_sources disable trigger user;
update feed_sources s set organization_id = o.id
from (select f.customer_id, f.id as source_id, min(l.organization_id) as id
  from feed_sources f join lots l on l.customer_id = f.customer_id and l.id = any(f.lot_ids)
  group by f.customer_id, f.id having min(l.organization_id) = max(l.organization_id)) o
where s.customer_id = o.customer_id and s.id = o.source_id and s.organization_id is null;
alter table feed_sources enable trigger user;

alter table feed_runs disable trigger user;
update feed_runs r set organization_id = s.organization_id
from feed_sources s where s.customer_id = r.customer_id and s.id = r.source_id and r.organization_id is null
  and s.organization_id is not null;
alter table feed_runs enable trigger user;

update feed_run_rows t set organization_id = l.organization_id
from lots l where l.customer_id = t.customer_id and l.id = t.lot_id and t.organization_id is null;
