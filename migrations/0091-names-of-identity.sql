-- Standard names of view-only impersonation and of built-in email templates, also in the audit log.
-- See docs/decisions/0123-standard-names-of-identity.md.

alter table iam.sessions rename column is_look_only to is_view_only;
alter table email_templates rename column is_own to is_built_in;
update audit_log set before = case when before ? 'is_own' then before - 'is_own' || jsonb_build_object('is_built_in', before -> 'is_own') else before end,
    after = case when after ? 'is_own' then after - 'is_own' || jsonb_build_object('is_built_in', after -> 'is_own') else after end
  where table_name = 'email_templates' and (before ? 'is_own' or after ? 'is_own');
