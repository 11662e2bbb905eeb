-- A publisher may state the GWP set of one table only, such as the waste factors of the US EPA (AR4).
alter table library.emission_factors add column gwp_set text check (gwp_set in ('AR4', 'AR5', 'AR6'));
create or replace view library.factors with (security_invoker = true) as
  select f.id, null::bigint as customer_id, null::bigint as organization_id, f.dataset_id, d.publisher, d.title as dataset,
    d.edition, d.year, d.licence, d.attribution, d.url, coalesce(f.gwp_set, d.gwp_set) as gwp_set, f.scopes, f.category,
    f.activity, f.name, f.region, f.unit, f.calorific_basis, f.boundary, f.use, f.valid_from, f.valid_to, f.price_year,
    f.source_table, f.source_rows, f.note, null::text as source_note, f.superseded_by, null::timestamptz as created_at,
    null::text as created_by
  from library.emission_factors f join library.factor_datasets d on d.id = f.dataset_id
  union all
  select f.id, f.customer_id, f.organization_id, f.dataset_id, coalesce(d.publisher, 'Own factor'), coalesce(d.title, 'Own factors'),
    coalesce(d.edition, to_char(f.created_at, 'YYYY-MM-DD')), coalesce(d.year, extract(year from f.valid_from)::integer),
    coalesce(d.licence, 'Own'), coalesce(d.attribution, f.source_note), d.url, d.gwp_set, f.scopes, f.category, f.activity, f.name,
    f.region, f.unit, f.calorific_basis, f.boundary, f.use, f.valid_from, f.valid_to, f.price_year, f.source_table,
    f.source_rows, f.note, f.source_note, f.superseded_by, f.created_at, f.created_by
  from public.emission_factors f left join public.factor_datasets d on d.customer_id = f.customer_id and d.id = f.dataset_id;

-- Formulas name the GWPs of the factor now, and gas billed in cubic feet uses the factor per volume: open inventories are
-- calculated again.
select mark_stale(s.customer_id, array_agg(s.id)) from emission_sources s group by s.customer_id;
