-- Whether the database is at the code is asked while the product runs, by a role that owns nothing.
grant select on schema_migrations to forecourt_iam;
