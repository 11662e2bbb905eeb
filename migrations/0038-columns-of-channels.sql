-- The columns of a plain file as its receiver wants them: [{"name", "value"}], in their order; empty: our own.
alter table channels add column columns jsonb not null default '[]' check (jsonb_typeof(columns) = 'array');
