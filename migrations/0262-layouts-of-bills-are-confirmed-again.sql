-- Remembered mappings counted empty columns, which the next file of a layout may lack
-- (docs/decisions/0277-a-record-is-one-line.md). They are confirmed once more.
delete from activity_mappings;
