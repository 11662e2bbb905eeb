-- The texts of a form besides its questions, in its other languages:
-- {"es": {"name": "...", "thankYouTitle": "...", "thankYouText": "...", "replySubject": "...", "replyText": "..."}}.
-- What is missing is shown in the first language.
alter table forms add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
