-- The words of a record are written with every lead, person and vehicle. Their query has a part for each kind of record, and
-- planning all of them each time took four times as long as running one. The plan without the values is the same: one
-- record after another by its key.
alter function search.write_words(text, bigint[], bigint[], boolean) set plan_cache_mode = force_generic_plan;
