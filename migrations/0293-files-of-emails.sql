-- Files that came with emails to inbound addresses. The bytes are in file storage.
create table lead_files (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- The text of the email. Its leads have the file, too.
  source_id bigint not null,
  -- Set if the email belongs to a lead that came in otherwise: a reply, or the same lead again.
  lead_id bigint,
  name text not null,
  -- By content.
  type text not null,
  size bigint not null check (size >= 0),
  sha256 text not null,
  -- Null: it isn't kept, for the reason that the contract names.
  stored_as uuid,
  refusal text check (refusal in ('program', 'archive', 'macros', 'tooLarge', 'tooMany', 'storageFull', 'empty')),
  added_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, source_id) references lead_sources (customer_id, id) on delete cascade,
  foreign key (customer_id, lead_id) references leads (customer_id, id) on delete cascade,
  check ((stored_as is null) = (refusal is not null))
);
create index lead_files_source on lead_files (customer_id, source_id);
create index lead_files_lead on lead_files (customer_id, lead_id) where lead_id is not null;
create index lead_files_organization on lead_files (customer_id, organization_id);
call protect_tenant_table('lead_files', array['id'], by_organization => true, audited => false);

alter table lead_events drop constraint lead_events_kind_check;
alter table lead_events add constraint lead_events_kind_check check (kind in ('received', 'completed', 'duplicate', 'quarantined', 'released', 'routed', 'delivery', 'consent',
  'message-in', 'message-out', 'auto-reply', 'opened', 'viewed', 'call', 'note', 'assigned', 'accepted', 'returned',
  'escalated', 'late', 'bounced', 'snoozed', 'woken', 'outcome', 'merged', 'unmerged', 'changed', 'store', 'moved', 'copied', 'files'));
