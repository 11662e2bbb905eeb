// Assessments own questionnaires with their versions, and what is answered in them.
// They do not own the question model (contract/questions), organizations or facilities (organizations), or carbon data.
// Their rules come from the specification, section 7, and docs/decisions.
export {
  addQuestionnaire,
  publishQuestionnaire,
  questionnaireHandlers,
  questionnaireSource,
} from './questionnaires/questionnaires.ts'
export { readTemplates } from './questionnaires/templates.ts'
export { assessmentHandlers } from './assessments/assessments.ts'
export { assessmentSource, readAssessment } from './assessments/assessment-rows.ts'
export { assessmentTargetHandlers } from './assessments/targets.ts'
export { targetSource } from './assessments/target-rows.ts'
export { assessmentAnswerHandlers } from './answers/answers.ts'
export { readFrozenTargets, type FrozenTarget } from './results/frozen-targets.ts'
export { assessmentResultHandlers } from './results/results.ts'
export { actionSource, assessmentActionHandlers } from './actions/actions.ts'
export { participantAreaHandlers } from './participants/participant-area.ts'
export { participantHandlers } from './participants/invitations.ts'
export { authenticateParticipant, sweepParticipantSessions } from './participants/participant-sessions.ts'
