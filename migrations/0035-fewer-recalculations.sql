-- An inventory is reckoned anew where something is other than it was, or where it is opened again: what is true of
-- factors and facilities may have changed while it was frozen. Other steps of its status change no result.
drop trigger stale on carbon_inventories;
create trigger stale after update of period_start, period_end, boundary, gwp_set, datasets, year_rule, status on carbon_inventories
  for each row when ((old.period_start, old.period_end, old.boundary, old.gwp_set, old.datasets, old.year_rule)
      is distinct from (new.period_start, new.period_end, new.boundary, new.gwp_set, new.datasets, new.year_rule)
    or (old.status in ('approved', 'locked', 'restated') and new.status in ('draft', 'collecting', 'in_review')))
  execute function stale_by_row();

-- Which records of a source have no result, among all that have one: coverage asks it.
create index calculation_results_missing on calculation_results (customer_id, source_id, record_id) where kg is null;
