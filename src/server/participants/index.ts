// Participants own invitations, the sessions of invited people, and what an invitation link opens.
// They do not own the answers (assessments) or the users of the product (identity).
// Their rules come from the specification, section 7, and docs/decisions.
export { authenticateParticipant, sweepParticipantSessions } from './access/participant-sessions.ts'
export type { AnswersDocument, MakePdf } from './area/answers-document.ts'
export { participantAreaHandlers } from './area/participant-area.ts'
export {
  addPerson,
  inviteWaiting,
  mailRequestedChanges,
  participantHandlers,
} from './invitations/invitations.ts'
export { readRecipients, sendInvitations } from './invitations/send-invitations.ts'
