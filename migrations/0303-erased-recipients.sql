-- A recipient whose person was erased keeps what became of the email, not who it was.
create function forget_recipient() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.name := 'Deleted person';
  new.email := '';
  return new;
end
$$;
create trigger forget before update of person_id on campaign_recipients for each row
  when (old.person_id is not null and new.person_id is null) execute function forget_recipient();

-- Of someone who said no, only the address stays.
create function forget_recipient_name() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update campaign_recipients r set name = null
  where r.customer_id = new.customer_id and r.person_id = new.id and r.name is not null;
  return null;
end
$$;
create trigger forget_recipient_name after update of name on people for each row
  when (old.name is not null and new.name is null) execute function forget_recipient_name();
