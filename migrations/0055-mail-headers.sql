alter table outbox_mails
  -- What its Message-ID is made of. Not the row's number: that is the same in another installation, and comes again after
  -- a restore.
  add column message_key uuid not null default gen_random_uuid(),
  -- It comes again until something is done: its reader is told how to end that.
  add column is_reminder boolean not null default false;
