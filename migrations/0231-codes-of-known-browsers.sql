-- What others do with a known password closes neither a browser on which its owner signed in before, nor another network
-- (docs/decisions/0248-codes-and-networks.md).
alter table iam.mail_codes add column is_known boolean not null default false;
alter table iam.mail_codes drop constraint mail_codes_pkey;
alter table iam.mail_codes add primary key (customer_id, user_id, is_known);

alter table iam.sign_in_failures drop constraint sign_in_failures_kind_check;
alter table iam.sign_in_failures add constraint sign_in_failures_kind_check
  check (kind in ('account', 'network', 'address', 'factor', 'factor network'));
-- Their limits were others.
delete from iam.sign_in_failures where kind = 'factor';
delete from iam.request_counts where kind = 'sign-in codes of an account';
