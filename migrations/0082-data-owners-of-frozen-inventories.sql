-- A frozen inventory keeps the names of its data owners when a user is renamed or deleted, like those of its other people.

-- {"<source ID>": "<name of the data owner>"}: the sources of the facility when the inventory was approved.
alter table inventory_facility_snapshots add column owners jsonb not null default '{}' check (jsonb_typeof(owners) = 'object');

-- Inventories that are already frozen get the names of today; a frozen inventory accepts no other change.
alter table inventory_facility_snapshots disable trigger frozen;
update inventory_facility_snapshots n set owners = found.owners
from (select s.customer_id, s.inventory_id, s.facility_id, jsonb_object_agg(s.id, u.first_name || ' ' || u.last_name) as owners
  from emission_sources s join users u on u.customer_id = s.customer_id and u.id = s.person_id
  group by s.customer_id, s.inventory_id, s.facility_id) found
where n.customer_id = found.customer_id and n.inventory_id = found.inventory_id and n.facility_id = found.facility_id;
alter table inventory_facility_snapshots enable trigger frozen;
