-- A user who erases what is stored about a person also removes the files of exports and the answers of repeated calls, which may
-- contain it: those of all users of the customer, which a user doesn't reach otherwise. An export that runs is canceled. Returns how many files there were.
create function drop_export_files() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  of_customer constant bigint := nullif(current_setting('app.customer_id', true), '')::bigint;
  dropped integer;
begin
  update public.jobs set wants_cancel = true
  where customer_id = of_customer and kind = 'reports.startExport' and ended_at is null;
  update public.jobs set file_name = null, file_type = null, file_bytes = null, file_expires_at = null
  where customer_id = of_customer and kind = 'reports.startExport' and file_name is not null;
  get diagnostics dropped = row_count;
  delete from public.job_file_parts p using public.jobs j
  where p.customer_id = of_customer and j.customer_id = of_customer and j.id = p.job_id and j.kind = 'reports.startExport'
    and j.ended_at is not null;
  -- That they were done stays known, so that none is done twice.
  update public.repeated_calls set answer = null where customer_id = of_customer;
  return dropped;
end
$$;
revoke execute on function drop_export_files() from public;
grant execute on function drop_export_files() to forecourt_app;
