-- Bills of a file that were left out because an answer said that another one holds: a later credit may be for them.

-- No foreign key: of a source that was deleted there are no more lines.
alter table activity_import_lines add column left_source_id bigint;
-- Its reference, quantity, unit, first and last day.
alter table activity_import_lines add column left_bill jsonb check (jsonb_typeof(left_bill) = 'object');
alter table activity_import_lines add constraint activity_import_lines_left
  check ((left_source_id is null) = (left_bill is null) and (left_bill is null or skipped = 'left'));
create index activity_import_lines_left on activity_import_lines (customer_id, left_source_id) where left_source_id is not null;
