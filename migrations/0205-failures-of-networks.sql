-- Wrong passwords for an account are counted per network, so that no one network can block it for all others
-- (docs/decisions/0227-no-network-blocks-an-account.md).
alter table iam.sign_in_failures drop constraint sign_in_failures_kind_check;
alter table iam.sign_in_failures add constraint sign_in_failures_kind_check
  check (kind in ('account', 'network', 'address', 'factor'));
-- Of an account: the first networks of its failures, as many as the limit asks for.
alter table iam.sign_in_failures add column networks text[] not null default '{}';
-- Their limit was another one.
delete from iam.sign_in_failures where kind = 'account';
