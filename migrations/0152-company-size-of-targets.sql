-- The company size of one target, if it differs from that of the assessment. It decides which questions are required.
alter table assessment_targets
  add column size text check (size in ('micro', 'small', 'medium', 'large'));
