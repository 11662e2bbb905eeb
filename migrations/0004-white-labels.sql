-- Branding by the domain the product is opened on. A domain belongs to one customer.
create table white_labels (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  domain text not null check (domain = lower(domain)) unique,
  logo text,
  favicon text,
  title text not null,
  -- HTML, sanitised when it is written and again when it is read.
  footer text not null default '',
  brand text not null default '#0b6e4f' check (brand ~ '^#[0-9a-f]{6}$'),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id)
);
create trigger touch before update on white_labels for each row execute function touch_row();
call protect_tenant_table('white_labels', array['id']);
create policy identity on white_labels for select to forecourt_iam using (true);
grant select on white_labels to forecourt_iam;
