// Participants own invitations, the sessions of invited people, and what an invitation link opens.
// They do not own the answers (assessments) or the users of the product (identity).
// Their rules come from the specification, section 7, and docs/decisions.
export { authenticateParticipant, sweepParticipantSessions } from './access/participant-sessions.ts'
export { participantAreaHandlers } from './area/participant-area.ts'
export { addPerson, participantHandlers } from './invitations/invitations.ts'
export { makeInvitations } from './invitations/make-invitations.ts'
