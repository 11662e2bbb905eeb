-- A buyer who asks again reaches the destinations of the first lead, as an update of it.
alter table lead_deliveries
  add column is_update boolean not null default false,
  -- The later lead that the update is about.
  add column update_lead_id bigint,
  add foreign key (customer_id, update_lead_id) references leads (customer_id, id) on delete set null (update_lead_id);
create index lead_deliveries_update on lead_deliveries (customer_id, update_lead_id) where update_lead_id is not null;
