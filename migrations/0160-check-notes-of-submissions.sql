-- Forms that were received while the database was away (docs/decisions/0190-public-sites-without-a-database.md).

-- What is wrong with the answers of a form that could not be checked while its sender waited, with what was typed. Such a
-- submission is in quarantine.
alter table form_submissions add column check_note text;
