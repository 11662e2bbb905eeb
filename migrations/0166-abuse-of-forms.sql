-- What keeps strangers from abusing public forms (docs/decisions/0196-one-abuse-model-for-public-forms.md).

-- Counts within a window of time: forms of a network, bytes of files, automatic replies to a recipient. Changed in the
-- transaction that stores what is counted, so that what isn't stored doesn't count.
create table form_counts (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  kind text not null,
  -- A network, or a fingerprint of a recipient.
  key text not null,
  total bigint not null,
  window_started_at timestamptz not null default app_now(),
  primary key (customer_id, kind, key)
);
call protect_tenant_table('form_counts', array['kind', 'key'], operations => 'select, insert, update', audited => false);
create policy queue on form_counts to forecourt_jobs using (true);
grant select, delete on form_counts to forecourt_jobs;

-- Proofs of work that were used. Each counts for one content: the same form sent again is no second use.
create table spent_proofs (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  nonce text not null,
  -- A fingerprint of the content.
  used_for text not null,
  spent_at timestamptz not null default app_now(),
  primary key (customer_id, nonce)
);
call protect_tenant_table('spent_proofs', array['nonce'], operations => 'select, insert', audited => false);
create policy queue on spent_proofs to forecourt_jobs using (true);
grant select, delete on spent_proofs to forecourt_jobs;

-- Came with a proof of work. Files without one make room first.
alter table form_files add column is_proven boolean not null default false;
-- Some of its files were deleted to make room for those of others.
alter table form_submissions add column has_lost_files boolean not null default false;

-- Leads that look like spam are deleted after this many days in quarantine.
alter table lead_settings add column quarantine_days integer not null default 30 check (quarantine_days between 1 and 365);
-- The job that deletes them looks for customers who have some.
create policy queue on form_submissions to forecourt_jobs using (true);
grant select (customer_id, state) on form_submissions to forecourt_jobs;
create index leads_in_quarantine on leads (customer_id, received_at, id) where status = 'quarantined';
create index form_submissions_in_quarantine on form_submissions (customer_id, sent_at, id) where state = 'quarantined';
create index form_files_unclaimed on form_files (customer_id, added_at) where submission_id is null;
