-- Addresses of a whole group, and how the store of a lead is found (docs/decisions/0306-stores-of-leads.md).

alter table inbound_addresses
  -- It has no lot: the store of each lead is found by what the lead says. Leads whose store isn't found belong to its organization.
  add column is_group boolean not null default false,
  add check (not is_group or lot_id is null);

alter table lot_lead_settings
  -- What senders of leads call this lot, besides its name.
  add column vendor_names text[] not null default '{}' check (cardinality(vendor_names) <= 50),
  -- Its IDs at manufacturers and lead providers, as they are in leads.
  add column dealer_codes text[] not null default '{}' check (cardinality(dealer_codes) <= 50),
  -- ZIP codes, or beginnings with an asterisk (958*), of buyers whose leads belong here.
  add column postal_codes text[] not null default '{}' check (cardinality(postal_codes) <= 500),
  -- A buyer who comes back is assigned to the person who last answered them.
  add column returns_to_person boolean not null default true;

alter table leads
  -- It came to a group address, and its store isn't known yet.
  add column needs_store boolean not null default false,
  -- By what its store was found (StoreEvidence); null: it came to an address or a form of the store, or was added by hand.
  add column store_evidence jsonb check (jsonb_typeof(store_evidence) = 'object');
create index leads_without_store on leads (customer_id, id) where needs_store;

alter table lead_events drop constraint lead_events_kind_check;
alter table lead_events add constraint lead_events_kind_check check (kind in ('received', 'completed', 'duplicate', 'quarantined', 'released', 'routed', 'delivery', 'consent',
  'message-in', 'message-out', 'auto-reply', 'opened', 'viewed', 'call', 'note', 'assigned', 'accepted', 'returned',
  'escalated', 'late', 'bounced', 'snoozed', 'woken', 'outcome', 'merged', 'unmerged', 'changed', 'store', 'moved', 'copied'));
