-- Which sites may show a form in a frame, and whether it accepts browsers without a proof of work.
alter table forms
  -- Origins: https://www.dealer.example
  add column embed_origins text[] not null default '{}',
  add column requires_proof boolean not null default false;
