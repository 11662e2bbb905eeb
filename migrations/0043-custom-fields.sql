-- Fields of vehicles that a customer makes for itself: [{"key", "name", "kind", "unit", "choices", "isArchived"}], in the
-- order in which they are shown. They are kept with the details.
alter table customers add column custom_fields jsonb not null default '[]' check (jsonb_typeof(custom_fields) = 'array');
grant update (custom_fields) on customers to forecourt_app;

-- The values of a vehicle by the names of those fields: {"custom_keys": "Board 4"}. What has no value is not there.
alter table vehicles add column custom jsonb not null default '{}' check (jsonb_typeof(custom) = 'object');
