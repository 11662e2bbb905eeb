-- An archived organization gets nothing new: no lots, facilities, inventories, targets or users, whichever call it is.
create function refuse_archived() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from public.organizations o
      where o.customer_id = new.customer_id and o.id = new.organization_id and o.archived_at is not null) then
    raise exception 'Organization % is archived.', new.organization_id
      using errcode = 'check_violation', constraint = 'archived_organization';
  end if;
  return new;
end
$$;
do $$
declare
  name text;
begin
  foreach name in array array['lots', 'facilities', 'carbon_inventories', 'assessment_targets', 'memberships'] loop
    execute format('create trigger archived_insert before insert on %I for each row execute function refuse_archived()', name);
    execute format('create trigger archived_update before update of organization_id on %I for each row
      when (old.organization_id is distinct from new.organization_id) execute function refuse_archived()', name);
  end loop;
end
$$;
