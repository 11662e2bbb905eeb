-- Browsers on which somebody signed in before: strangers who fail for the account, or at its address, do not make them
-- wait. Each counts its own failures for each of its people.
create table iam.known_browsers (
  token_hash bytea not null,
  customer_id bigint not null,
  user_id bigint not null,
  last_used_at timestamptz not null default app_now(),
  failures int not null default 0,
  last_failure_at timestamptz,
  blocked_until timestamptz,
  primary key (token_hash, customer_id, user_id),
  foreign key (customer_id, user_id) references public.users (customer_id, id) on delete cascade
);
create index known_browsers_user on iam.known_browsers (customer_id, user_id, last_used_at);
grant select, insert, update, delete on iam.known_browsers to forecourt_iam;
