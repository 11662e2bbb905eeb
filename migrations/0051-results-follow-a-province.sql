-- A factor may hold for a state or province alone: results follow where a facility moves to another one.
drop trigger stale on facilities;
create trigger stale after update of country, region, grid_region, opened_on, closed_on, parent_id on facilities
  for each row execute function stale_by_row();
