-- The frozen answers of a target are never changed or deleted, and neither is a target that has some.
alter table assessment_snapshots drop constraint assessment_snapshots_customer_id_organization_id_target_id_fkey;
alter table assessment_snapshots add foreign key (customer_id, organization_id, target_id)
  references assessment_targets (customer_id, organization_id, id);
create trigger never_changed before update or delete on assessment_snapshots for each row execute function refuse_change();
create trigger never_emptied before truncate on assessment_snapshots for each statement execute function refuse_change();
