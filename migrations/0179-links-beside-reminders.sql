-- A reminder has a link of its own, and the link of the invitation goes on working.
alter table iam.participant_links drop constraint participant_links_customer_id_invitation_id_key;
create index participant_links_invitation on iam.participant_links (customer_id, invitation_id);
