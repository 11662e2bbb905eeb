-- What the obligation of a question can depend on: the edition of the questionnaire, and the size of the organizations that
-- answer. Both are chosen before the assessment opens.
alter table assessments
  add column edition text,
  add column size text check (size in ('micro', 'small', 'medium', 'large'));
