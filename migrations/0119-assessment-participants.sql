-- People who answer assessments without an account. One person per organization and email address.
create table assessment_participants (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  name text not null,
  email text not null,
  email_key text not null generated always as (lower(email)) stored,
  -- The language of their emails and pages.
  language text not null check (language in ('en', 'es', 'fr', 'de')),
  -- Set when the person gets an account.
  user_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, organization_id, email_key),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, user_id) references users (customer_id, id) on delete set null (user_id)
);
create index assessment_participants_user on assessment_participants (customer_id, user_id) where user_id is not null;
create trigger touch before update on assessment_participants for each row execute function touch_row('email_key');
call protect_tenant_table('assessment_participants', array['id'], by_organization => true);
alter table assessment_people add foreign key (customer_id, participant_id) references assessment_participants (customer_id, id)
  on delete cascade;
create policy identity on assessment_participants for select to forecourt_iam using (true);
grant select on assessment_participants to forecourt_iam;

-- An invitation of one person to one target. Role and delegated questions are in assessment_people and
-- assessment_delegations. Whether it has expired follows from expires_at.
create table assessment_invitations (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint references customers (id),
  id bigint generated always as identity,
  organization_id bigint not null default nullif(current_setting('app.organization_id', true), '')::bigint,
  target_id bigint not null,
  participant_id bigint not null,
  invited_by text default nullif(current_setting('app.actor_name', true), ''),
  message text,
  state text not null default 'created'
    check (state in ('created', 'sent', 'bounced', 'opened', 'in_progress', 'submitted', 'revoked')),
  expires_at timestamptz not null,
  -- The latest email with its link.
  mail_id bigint,
  sent_at timestamptz,
  bounced_at timestamptz,
  opened_at timestamptz,
  started_at timestamptz,
  submitted_at timestamptz,
  revoked_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  unique (customer_id, target_id, participant_id),
  foreign key (customer_id, organization_id) references organizations (customer_id, id),
  foreign key (customer_id, target_id, participant_id) references assessment_people (customer_id, target_id, participant_id)
    on delete cascade,
  foreign key (customer_id, participant_id) references assessment_participants (customer_id, id) on delete cascade,
  foreign key (customer_id, mail_id) references outbox_mails (customer_id, id) on delete set null (mail_id)
);
create index assessment_invitations_participant on assessment_invitations (customer_id, participant_id);
create index assessment_invitations_organization on assessment_invitations (customer_id, organization_id);
create index assessment_invitations_mail on assessment_invitations (customer_id, mail_id) where mail_id is not null;
create trigger touch before update on assessment_invitations for each row execute function touch_row();
call protect_tenant_table('assessment_invitations', array['id'], by_organization => true);
create policy identity on assessment_invitations for select to forecourt_iam using (true);
grant select on assessment_invitations to forecourt_iam;

-- The one link of an invitation that works: 256 random bits, as their hash. Gone when it is replaced, used up or revoked.
create table iam.participant_links (
  token_hash bytea primary key,
  customer_id bigint not null,
  invitation_id bigint not null,
  created_at timestamptz not null default app_now(),
  unique (customer_id, invitation_id),
  foreign key (customer_id, invitation_id) references assessment_invitations (customer_id, id) on delete cascade
);

-- Sessions of participants. They end two hours after the last call, and twelve hours after they began.
create table iam.participant_sessions (
  token_hash bytea primary key,
  customer_id bigint not null,
  participant_id bigint not null,
  last_active_at timestamptz not null default app_now(),
  ends_at timestamptz not null,
  created_at timestamptz not null default app_now(),
  foreign key (customer_id, participant_id) references assessment_participants (customer_id, id) on delete cascade
);
create index participant_sessions_participant on iam.participant_sessions (customer_id, participant_id);
create index participant_sessions_ends on iam.participant_sessions (ends_at);
grant select, insert, update, delete on iam.participant_links, iam.participant_sessions to forecourt_iam;

-- An invitation follows its email: sent, or bounced. Not once the person has opened it.
create function note_invitation_mail() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update public.assessment_invitations i set
    state = case when new.outcome in ('bounced', 'complained') or new.state = 'failed' then 'bounced' else 'sent' end,
    sent_at = coalesce(new.sent_at, i.sent_at),
    bounced_at = case when new.outcome in ('bounced', 'complained') or new.state = 'failed' then public.app_now() end
  where i.customer_id = new.customer_id and i.mail_id = new.id and i.state in ('created', 'sent', 'bounced');
  return null;
end
$$;
create trigger invitation after update of state, outcome on outbox_mails for each row
  when ((new.state, new.outcome) is distinct from (old.state, old.outcome) and new.state in ('sent', 'failed'))
  execute function note_invitation_mail();
