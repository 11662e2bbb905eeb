-- How many rows of a file have a value, by field: far fewer than in the last file hold the run.
alter table feed_runs add column filled jsonb;
-- A blank row looked like one without the column. Each vehicle is compared once more, so that nothing stays advertised that its
-- feed has taken away. Bookkeeping only: versions, update times and the audit log stay as they are.
alter table vehicles disable trigger user;
update vehicles set row_fingerprint = null where row_fingerprint is not null and feed_source_id is not null;
alter table vehicles enable trigger user;
