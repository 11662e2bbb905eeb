-- Why an email that waits for review looks automatic, as the contract names it. Null for all others.
alter table inbound_messages add column automatic text
  check (automatic in ('autoSubmitted', 'generated', 'bulk', 'loop', 'bounce'));
