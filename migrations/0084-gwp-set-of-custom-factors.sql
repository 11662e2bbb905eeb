-- The IPCC report behind the figures of a custom factor in CO2e. Null: the source doesn't state it, or all figures are kg of a gas.
alter table emission_factors add column gwp_set text check (gwp_set in ('AR4', 'AR5', 'AR6'));
do $$
declare
  former constant text := pg_get_viewdef('library.factors'::regclass);
  -- The only column of the view that is just the set of the dataset is that of custom and imported factors. The definition is
  -- not repeated here, because this migration may run before or after the one that renames the license column.
  definition constant text := regexp_replace(former, '\sd\.gwp_set,', ' coalesce(f.gwp_set, d.gwp_set) as gwp_set,');
begin
  if definition = former then
    raise exception 'The view library.factors has another definition than expected.';
  end if;
  execute 'create or replace view library.factors with (security_invoker = true) as ' || definition;
end
$$;

-- Results are flagged if their figures were published with other GWPs than those of the inventory: open inventories are
-- calculated again.
select mark_stale(s.customer_id, array_agg(s.id)) from emission_sources s group by s.customer_id;
