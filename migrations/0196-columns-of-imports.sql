-- What an import did with each column of its file, so that records show the columns that no field takes.

-- In the order of `titles`: the field that a column became, and '' for one that no field takes. Null: imported before this was kept.
alter table activity_imports add column fields text[];

-- The lines above the table, such as the account and the address: one text each.
alter table activity_imports add column above text[] not null default '{}';
