-- Conversations with buyers by email (docs/decisions/0136-replies-of-buyers.md).

alter table outbox_mails
  -- Who wrote it, if it wasn't the product, and where answers go. Null: as the email handler says.
  add column from_name text,
  add column reply_to text,
  -- Written by a person. Such an email doesn't say that it was sent automatically.
  add column is_personal boolean not null default false,
  -- The Message-ID of the email it answers, without angle brackets.
  add column in_reply_to text;

-- The part of the reply address that finds the lead: leads+TOKEN@inbound.example.com.
alter table leads add column reply_token text not null default left(replace(gen_random_uuid()::text, '-', ''), 24);
create unique index leads_reply_token on leads (customer_id, reply_token);

-- An answer names the email it answers.
create index lead_messages_answered on lead_messages (customer_id, split_part(message_id, '@', 1))
  where direction = 'out' and message_id is not null;
