-- Emails that are never repeated: what may have arrived stays in doubt (docs/decisions/0318-emails-that-are-sent-once.md).
alter table outbox_mails
  add column is_once boolean not null default false,
  -- A mail server may have accepted it: the server stopped, or the connection ended, while it was sent.
  add column in_doubt boolean not null default false,
  -- Opens a page with a button, and unsubscribes on POST (RFC 8058).
  add column unsubscribe_url text,
  -- The handler that has to send it; null: the customer's default.
  add column chosen_handler_id bigint,
  add foreign key (customer_id, chosen_handler_id) references email_handlers (customer_id, id) on delete set null (chosen_handler_id),
  add check (not in_doubt or is_once);
create index outbox_mails_chosen_handler on outbox_mails (customer_id, chosen_handler_id) where chosen_handler_id is not null;
create index outbox_mails_once on outbox_mails (leased_until) where is_once and state = 'waiting' and lease is not null;
