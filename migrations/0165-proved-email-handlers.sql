-- When a mail server last accepted an email with the settings that the handler has now. Null: never, or they changed since.
alter table email_handlers add column proved_at timestamptz;
-- A test is not a change to the handler that another user must know of.
drop trigger touch on email_handlers;
create trigger touch before update on email_handlers for each row execute function touch_row('name_key', 'proved_at');
