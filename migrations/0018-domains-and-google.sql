-- A customer brings domains of its own: what one is for, and whether it is known to be the customer's.
alter table white_labels
  -- Where its people work, or where its buyers look: links in mails lead to the first alone.
  add column purpose text not null default 'office' check (purpose in ('office', 'public')),
  -- What the domain's TXT record has to say.
  add column challenge text not null default replace(gen_random_uuid()::text, '-', ''),
  -- Whoever founds a customer vouches for its domain. One that the customer names itself waits for its record.
  add column verified_at timestamptz default now();

-- Logos and favicons, by what is in them. A white label names them by their path.
create table white_label_pictures (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  type text not null,
  bytes bytea not null,
  created_at timestamptz not null default now(),
  primary key (customer_id, hash)
);
-- They are shown before anybody signs in, when no customer is known.
create index white_label_pictures_hash on white_label_pictures (hash);
call protect_tenant_table('white_label_pictures', array['hash'], operations => 'select, insert, delete', audited => false);
create policy identity on white_label_pictures for select to forecourt_iam using (true);
grant select on white_label_pictures to forecourt_iam;

-- Words that a sign-in with Google was begun with, each of use once.
create table iam.used_nonces (
  nonce_hash bytea primary key,
  expires_at timestamptz not null
);
grant select, insert, delete on iam.used_nonces to forecourt_iam;
