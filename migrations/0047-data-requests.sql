-- Who was asked for the figures of which sources, when and by whom. Each row is one mail to one person; a reminder is a
-- row too, with a mail of its own. Nothing here says that a source was answered: that follows from its records.
create sequence data_request_ids;
grant usage on sequence data_request_ids to forecourt_app;

create table data_requests (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  -- Taken before the row is there: the mail's link names it.
  id bigint not null default nextval('data_request_ids'),
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  inventory_id bigint not null,
  kind text not null check (kind in ('request', 'reminder')),
  -- Of the press that caused it, or the day of the schedule: a press that arrives twice sends once.
  press text not null,
  person_id bigint,
  person_name text not null,
  message text,
  -- The schedule reminds of it, around the day on which its figures are due.
  is_repeated boolean not null default true,
  mail_id bigint,
  asked_at timestamptz not null default now(),
  -- Null: the schedule.
  asked_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, id),
  foreign key (customer_id, organization_id, inventory_id) references carbon_inventories (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, person_id) references users (customer_id, id) on delete set null (person_id),
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id)
);
create unique index data_requests_once on data_requests (customer_id, inventory_id, press, person_id);
create index data_requests_inventory on data_requests (customer_id, organization_id, inventory_id);
create index data_requests_person on data_requests (customer_id, person_id);
create index data_requests_mail on data_requests (customer_id, mail_id);
create trigger frozen before insert or update or delete on data_requests for each row execute function keep_inventory_frozen();
call protect_tenant_table('data_requests', array['id'], by_organization => true, operations => 'select, insert');
-- Which inventories have somebody to remind.
create policy queue on data_requests to forecourt_jobs using (true);
grant select (customer_id, organization_id, inventory_id, is_repeated, asked_at) on data_requests to forecourt_jobs;

create table data_request_cells (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  request_id bigint not null,
  source_id bigint not null,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  -- As the mail said it.
  due_on date,
  primary key (customer_id, request_id, source_id),
  foreign key (customer_id, organization_id, request_id) references data_requests (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, organization_id, source_id) references emission_sources (customer_id, organization_id, id)
    on delete cascade
);
create index data_request_cells_request on data_request_cells (customer_id, organization_id, request_id);
create index data_request_cells_source on data_request_cells (customer_id, organization_id, source_id);
call protect_tenant_table('data_request_cells', array['request_id', 'source_id'], by_organization => true,
  operations => 'select, insert', audited => false);

-- Whether something was entered for a source since a moment.
create index activity_records_entered on activity_records (customer_id, source_id, created_at) where replaced_at is null;
