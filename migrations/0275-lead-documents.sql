-- A lead keeps everything that its ADF document says (docs/decisions/0301-leads-keep-everything.md).

alter table leads
  -- The document as it was read, without its warnings (StoredAdf). Null: the lead didn't come in as ADF.
  add column document jsonb,
  -- The same in words, for searches and exports.
  add column source_details text,
  -- All email addresses, in lowercase, and phone numbers, as +19165550178, of the buyer in the document.
  add column contact_keys text[] not null default '{}',
  -- When the buyer sent it, as the source says.
  add column requested_at timestamptz;
