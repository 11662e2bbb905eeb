-- What the rules of advertising have against what visitors see of each promo page (docs/decisions/0261-a-linter-for-pages.md).
-- Computed again every day and after a publication, because fees, disclaimers, vehicles and the rules change. A table of its own, so that
-- the page's version and history don't change with it.
create table promo_page_checks (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  page_id bigint not null,
  -- The checked version of the page, and the edition of the rules.
  number integer not null,
  edition integer not null,
  -- Findings that would stop a publication today, and others.
  stops integer not null check (stops >= 0),
  notes integer not null check (notes >= 0),
  checked_at timestamptz not null default app_now(),
  primary key (customer_id, page_id),
  foreign key (customer_id, page_id) references promo_pages (customer_id, id) on delete cascade
);
call protect_tenant_table('promo_page_checks', array['page_id'], audited => false);
