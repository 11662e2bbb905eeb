-- Until when a session is in somebody's skin, whether it may only look, and where it goes back to.
alter table iam.sessions
  add column impersonation_ends_at timestamptz,
  add column is_look_only boolean not null default false,
  add column own_acting_customer_id bigint,
  add column own_organization_id bigint;
-- Sessions in somebody's skin are that person's to see and to end.
create index sessions_effective_user on iam.sessions (effective_customer_id, effective_user_id);
-- A super user finds a person by their number alone.
create index users_id on users (id);
-- The audit log is listed and counted from its index alone, row level security included.
drop index audit_log_latest;
create index audit_log_latest on audit_log (customer_id, at desc, id desc) include (organization_id);
