-- Every line of a file is kept with what became of it, also those that are neither a record nor rejected.

-- Known: its bill already existed. Left: left out on purpose. Note: read as no line of the table, such as the headings and what
-- stands above them. Null: it became a record, or was rejected.
alter table activity_import_lines add column skipped text check (skipped in ('known', 'left', 'note'));
alter table activity_import_lines add constraint activity_import_lines_skipped check (skipped is null or record_id is null);
