-- A session of a participant ends with the link that opened it. Sessions of before have no link: a new link of the person ends them.
alter table iam.participant_sessions add column invitation_id bigint,
  add foreign key (customer_id, invitation_id) references assessment_invitations (customer_id, id) on delete cascade;
create index participant_sessions_invitation on iam.participant_sessions (customer_id, invitation_id);
