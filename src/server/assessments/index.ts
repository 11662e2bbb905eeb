// Assessments own assessments, their targets with answers, evidence and review, results and actions.
// They do not own questionnaires, organizations or facilities, carbon data, or people without an account (participants).
// Their rules come from the specification, section 7, and docs/decisions.
export { actionSource, addAction, assessmentActionHandlers } from './actions/actions.ts'
export { assessmentSource, readAssessment } from './assessments/assessment-rows.ts'
export { addAssessment, assessmentHandlers, openAssessment } from './assessments/assessments.ts'
export { assessmentVersionHandlers } from './assessments/change-version.ts'
export { countDueTargets, readDueAssessments } from './assessments/due-assessments.ts'
export { runAssessmentSchedules } from './assessments/schedules.ts'
export { assessmentSetupHandlers } from './assessments/setup.ts'
export { type FrozenTarget, readFrozenTargets } from './results/frozen-targets.ts'
export { assessmentResultHandlers } from './results/results.ts'
export { hashEntry } from './targets/answer-log.ts'
export { type Answerer, readAnswerScope } from './targets/answer-scope.ts'
export { addComment, assessmentAnswerHandlers } from './targets/answers.ts'
export { assembleAnswers } from './targets/apply-mutations.ts'
export { addDelegation, removeDelegation } from './targets/delegations.ts'
export {
  addTargetEvidence,
  applyEvidence,
  evidencePlace,
  findEvidence,
  withdrawEvidence,
} from './targets/evidence.ts'
export { readPinnedVersion } from './targets/pinned-version.ts'
export { assessmentPresenceHandlers, reportPresence } from './targets/presence.ts'
export { readTargetRecord } from './targets/read-target-record.ts'
export { QUIET_HOURS } from './targets/remind-targets.ts'
export { approveTarget, requestChanges, startReview } from './targets/review-target.ts'
export { saveAnswers } from './targets/save-answers.ts'
export { downloadSnapshot, targetSnapshotHandlers, verifySnapshot } from './targets/snapshots.ts'
export { submitTarget } from './targets/submit-target.ts'
export { readTargetContext } from './targets/target-context.ts'
export { targetReopeningHandlers } from './targets/target-reopenings.ts'
export { targetSource } from './targets/target-rows.ts'
export { addTargets, assessmentTargetHandlers } from './targets/targets.ts'
export type { Invitations } from './targets/invitations.ts'
