-- GWP values change with an erratum or a new table of the product's library. Each set of values is kept as an edition, and an
-- inventory uses the values of its edition until a user changes that: an update never changes its figures.
create table library.gwp_editions (
  edition integer primary key,
  loaded_at timestamptz not null default app_now()
);
insert into library.gwp_editions (edition) values (1);
grant select on library.gwp_editions to forecourt_app;

alter table library.gwp_values add column edition integer not null default 1 references library.gwp_editions (edition);
alter table library.gwp_values alter column edition drop default;
alter table library.gwp_values drop constraint gwp_values_pkey;
alter table library.gwp_values add primary key (edition, gas, gwp_set);

create function library.newest_gwp_edition() returns integer language sql stable as $$
  select max(edition) from library.gwp_editions
$$;

alter table carbon_inventories add column gwp_edition integer not null default 1;
alter table carbon_inventories alter column gwp_edition set default library.newest_gwp_edition();
create trigger stale_by_gwp_edition after update of gwp_edition on carbon_inventories for each row
  when (old.gwp_edition is distinct from new.gwp_edition) execute function stale_by_row();
