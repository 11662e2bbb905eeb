-- A note about a lot, for the staff.
alter table lots add note text;
