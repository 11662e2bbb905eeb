-- The answers of calls that were sent with a key, for an hour. A caller whose answer was lost sends the call again under the same
-- key, and gets this answer instead of a second record or email (docs/decisions/0222-calls-that-are-sent-again.md).
create table repeated_calls (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  -- The hash of the key, the caller and the call.
  id text not null check (id ~ '^[0-9a-f]{64}$'),
  -- Sealed with the key, which only the caller has. Null while the call runs, and if the answer is too large.
  answer text,
  at timestamptz not null default app_now(),
  primary key (customer_id, id)
);
create index repeated_calls_at on repeated_calls (at);
call protect_tenant_table('repeated_calls', array['id'], operations => 'select, insert', audited => false);
grant update (answer) on repeated_calls to forecourt_app;
create policy queue on repeated_calls to forecourt_jobs using (true) with check (true);
grant select, delete on repeated_calls to forecourt_jobs;
