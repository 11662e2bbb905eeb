-- Requests for a new password whose email is still to be written. The request is answered as soon as its row is there,
-- whether such an account exists or not; the email is written in the background, also after a restart.
create table iam.password_requests (
  id bigint generated always as identity primary key,
  -- As they were entered, in lower case; either may be empty.
  user_name text not null,
  email text not null,
  -- Whether the demo accounts may be reached from where the request came.
  reaches_demo boolean not null,
  attempts integer not null default 0,
  -- While a process works on it: when another one takes over.
  next_attempt_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now()
);
create index password_requests_due on iam.password_requests (next_attempt_at);
grant select, insert, update, delete on iam.password_requests to forecourt_iam;
