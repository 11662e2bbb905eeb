-- What becomes of a file on its server once it was fetched, and what is known of the last one that was taken away there.
alter table feed_sources
  add column after_fetch text not null default 'keep' check (after_fetch in ('keep', 'delete', 'move')),
  -- From the top of the server, or from the folder of the file.
  add column move_to text,
  add check ((after_fetch = 'move') = (move_to is not null));

alter table feed_source_states
  -- Why the last file could not be deleted or moved there; it was read all the same.
  add column after_problem text,
  -- Which place the last file was taken away from: that none is there now is no failure.
  add column taken_from text,
  add column taken_name text,
  -- When it was changed last, as its server said; null where it says nothing.
  add column taken_changed_at timestamptz;
