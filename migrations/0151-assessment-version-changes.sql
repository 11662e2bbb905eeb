-- An open assessment moves to another version of its questionnaire: for each target, the values that the other version doesn't
-- accept. They come back when a later version accepts them and no one changed the answer meanwhile.
create table assessment_version_changes (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  from_number integer not null check (from_number > 0),
  to_number integer not null check (to_number > 0),
  -- [{"questionCode", "rowKey", "value", "rev"}]: the value before, and the revision of the answer after.
  dropped jsonb not null default '[]' check (jsonb_typeof(dropped) = 'array'),
  changed_by text not null,
  changed_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade
);
create index assessment_version_changes_of_target on assessment_version_changes (customer_id, organization_id, target_id, id);
call protect_tenant_table('assessment_version_changes', array['id'], by_organization => true, operations => 'select, insert',
  audited => false);

-- Row level security hides the targets of other organizations from a user who reaches one: how many there are in all, so that an
-- assessment never moves without some of its targets.
create function assessment_target_count(assessment bigint) returns integer
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select count(*)::int from public.assessment_targets t
  where t.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint) and t.assessment_id = assessment
$$;
revoke execute on function assessment_target_count(bigint) from public;
grant execute on function assessment_target_count(bigint) to forecourt_app;
