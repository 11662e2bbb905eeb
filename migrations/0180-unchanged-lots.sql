-- What is derived is no change: before an update it isn't calculated yet.
drop trigger touch on lots;
create trigger touch before update on lots for each row execute function touch_row('is_visible');
