-- Each foreign key has an index that begins with its columns: without one, deleting an organization, a person, a user type
-- or a mapping reads the whole table that points at it. test/api/database/foreign-key-indexes.test.ts keeps it so.
create index carbon_inventories_owner on carbon_inventories (customer_id, owner_id) where owner_id is not null;
create index carbon_inventories_approver on carbon_inventories (customer_id, approver_id) where approver_id is not null;
create index carbon_inventories_reviewer on carbon_inventories (customer_id, reviewer_id) where reviewer_id is not null;
create index channel_states_current_run on channel_states (customer_id, current_run_id) where current_run_id is not null;
create index emission_factors_organization on emission_factors (customer_id, organization_id) where organization_id is not null;
create index emission_sources_of_person on emission_sources (customer_id, person_id) where person_id is not null;
create index feed_runs_organization on feed_runs (customer_id, organization_id) where organization_id is not null;
create index feed_sources_organization on feed_sources (customer_id, organization_id) where organization_id is not null;
create index feed_sources_acting on feed_sources (customer_id, acting_organization_id) where acting_organization_id is not null;
create index jobs_organization on jobs (customer_id, organization_id) where organization_id is not null;
create index jobs_acting on jobs (customer_id, acting_organization_id) where acting_organization_id is not null;
create index list_views_organization on list_views (customer_id, organization_id) where organization_id is not null;
create index list_views_user_type on list_views (customer_id, user_type_id) where user_type_id is not null;
create index outbox_mails_organization on outbox_mails (customer_id, organization_id) where organization_id is not null;
create index value_mappings_provider_mapping on value_mappings (customer_id, provider_mapping_id) where provider_mapping_id is not null;
