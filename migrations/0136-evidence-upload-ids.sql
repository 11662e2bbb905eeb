-- A device that doesn't know whether a file arrived sends it again under the same ID, so that it is stored once.
alter table assessment_evidence add upload_id text check (length(upload_id) between 1 and 64);
create unique index assessment_evidence_uploads on assessment_evidence (customer_id, target_id, upload_id)
  where upload_id is not null;
