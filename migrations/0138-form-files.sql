-- Files that visitors send with forms. The bytes are in file storage.
create table form_files (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  form_id bigint not null,
  -- The page that sent it: all submissions of one page have this start of their sent_key.
  page_key text not null,
  -- Null while the visitor corrects other answers; removed a day later unless the form is sent.
  submission_id bigint,
  question_code text not null,
  name text not null,
  stored_as uuid not null,
  type text not null,
  size bigint not null check (size > 0),
  sha256 text not null,
  added_at timestamptz not null default app_now(),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, form_id) references forms (customer_id, id) on delete cascade,
  foreign key (customer_id, submission_id) references form_submissions (customer_id, id) on delete cascade
);
-- The same file sent again from the same page, as by a double-click, is one file.
create unique index form_files_of_page on form_files (customer_id, form_id, page_key, question_code, sha256, name)
  where submission_id is null;
create unique index form_files_of_submission on form_files (customer_id, submission_id, stored_as);
create index form_files_of_form on form_files (customer_id, form_id);
create index form_files_of_organization on form_files (customer_id, organization_id);
call protect_tenant_table('form_files', array['id'], by_organization => true);
