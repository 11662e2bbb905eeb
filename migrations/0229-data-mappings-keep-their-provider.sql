-- A provider mapping stays while data mappings are made for it: they were deleted with it, unsaid and for good.
alter table value_mappings
  drop constraint value_mappings_customer_id_provider_mapping_id_fkey,
  add foreign key (customer_id, provider_mapping_id) references provider_mappings (customer_id, id);
