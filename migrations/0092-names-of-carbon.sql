-- Standard names of carbon accounting, also in the audit log: calculation lines, two-person approval, data owners,
-- idempotency keys and licenses. See docs/decisions/0124-standard-names-of-carbon.md.

alter table calculation_routes rename to calculation_lines;
alter sequence calculation_routes_id_seq rename to calculation_lines_id_seq;
alter table calculation_results rename column route_id to line_id;
alter index calculation_results_route rename to calculation_results_line;

alter table carbon_inventories rename column four_eyes to two_person_approval;
alter table carbon_inventories rename constraint carbon_inventories_four_eyes to carbon_inventories_two_person_approval;

alter table emission_sources rename column person_id to data_owner_id;
alter index emission_sources_person rename to emission_sources_data_owner;
alter index emission_sources_of_person rename to emission_sources_of_data_owner;
alter table data_requests rename column person_id to data_owner_id;
alter table data_requests rename column person_name to data_owner_name;
alter table data_requests rename column press to idempotency_key;
alter index data_requests_person rename to data_requests_data_owner;

alter table factor_datasets rename column licence to license;
alter table library.factor_datasets rename column licence to license;
alter view library.factors rename column licence to license;

do $$
declare
  one record;
begin
  for one in select conrelid::regclass as target, conname as name,
      replace(replace(conname, 'calculation_routes', 'calculation_lines'), 'person_id', 'data_owner_id') as better
    from pg_constraint where conrelid in ('calculation_lines'::regclass, 'emission_sources'::regclass, 'data_requests'::regclass)
      and conname ~ '(calculation_routes|person_id)' loop
    execute format('alter table %s rename constraint %I to %I', one.target, one.name, one.better);
  end loop;
end
$$;

-- The audit log shows columns by name.
create function pg_temp.new_image(image jsonb) returns jsonb language sql immutable as $$
  select jsonb_object_agg(case e.key when 'four_eyes' then 'two_person_approval' when 'person_id' then 'data_owner_id'
    when 'person_name' then 'data_owner_name' when 'press' then 'idempotency_key' when 'licence' then 'license' else e.key end, e.value)
  from jsonb_each(image) e
$$;
update audit_log set before = pg_temp.new_image(before), after = pg_temp.new_image(after)
  where table_name in ('carbon_inventories', 'emission_sources', 'data_requests', 'factor_datasets');
drop function pg_temp.new_image(jsonb);
