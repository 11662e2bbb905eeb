-- What was hidden and is shown again is back in the files of channels as soon as it had left them: a lot, and those of an
-- organization that was archived.
drop trigger channels_update on lots;
create trigger channels_update after update on lots for each row
  when (old.is_visible is distinct from new.is_visible) execute function run_channels_without_lots();
