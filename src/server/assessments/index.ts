// Assessments own questionnaires with their versions, and what is answered in them.
// They do not own the question model (contract/questions), organizations or facilities (organizations), or carbon data.
// Their rules come from the specification, section 7, and docs/decisions.
export {
  addQuestionnaire,
  publishQuestionnaire,
  questionnaireHandlers,
  questionnaireSource,
} from './questionnaires/questionnaires.ts'
export { questionBankHandlers } from './questionnaires/question-bank.ts'
export { makeImportThread, questionnaireFileHandlers } from './questionnaires/questionnaire-files.ts'
export { readTemplates } from './questionnaires/templates.ts'
export { actionSource, addAction, assessmentActionHandlers } from './actions/actions.ts'
export { readFrozenTargets, type FrozenTarget } from './results/frozen-targets.ts'
export { assessmentResultHandlers } from './results/results.ts'
export { addAssessment, assessmentHandlers, openAssessment } from './assessments/assessments.ts'
export { countDueTargets, readDueAssessments } from './assessments/due-assessments.ts'
export { assessmentVersionHandlers } from './assessments/change-version.ts'
export { assessmentSetupHandlers } from './assessments/setup.ts'
export { assessmentSource, readAssessment } from './assessments/assessment-rows.ts'
export { runAssessmentSchedules } from './assessments/schedules.ts'
export { approveTarget, requestChanges, startReview } from './assessments/review-target.ts'
export { submitTarget } from './assessments/submit-target.ts'
export { addTargets, assessmentTargetHandlers } from './assessments/targets.ts'
export { targetSource } from './assessments/target-rows.ts'
export { hashEntry } from './answers/answer-log.ts'
export type { Answerer } from './answers/answer-scope.ts'
export { addComment, assessmentAnswerHandlers } from './answers/answers.ts'
export { addDelegation } from './answers/delegations.ts'
export { assessmentPresenceHandlers } from './answers/presence.ts'
export { saveAnswers } from './answers/save-answers.ts'
export { participantAreaHandlers } from './participants/participant-area.ts'
export { addPerson, inviteWaiting, participantHandlers } from './participants/invitations.ts'
export { authenticateParticipant, sweepParticipantSessions } from './participants/participant-sessions.ts'
