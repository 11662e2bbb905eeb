import { assessmentActions } from '#contract/assessments/actions/actions.ts'
import { assessmentAnswers } from '#contract/assessments/targets/answers.ts'
import type { Mutation } from '#contract/assessments/targets/answer-schema.ts'
import { type Assessment, assessments } from '#contract/assessments/assessments/assessments.ts'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { targetSnapshots } from '#contract/assessments/targets/target-snapshots.ts'
import type { QuestionnaireFactories } from '#test/factories/questionnaires/add-questionnaires.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'

export type AddedAssessment = Readonly<{ id: string; targetId: string; version: number }>
type More = Partial<Pick<Assessment, 'review' | 'questionnaireId' | 'dueOn' | 'previousId' | 'opensOn'>> & {
  facilityId?: string
}

export type AssessmentFactories = {
  /** A draft with this organization, or a facility of it, as its target. */
  draftAssessment: (more?: More) => Promise<AddedAssessment>
  /** The same, open, without people. */
  addAssessment: (more?: More) => Promise<AddedAssessment>
  /** An open one whose target platform staff answered and submitted. */
  submitAssessment: (more?: More) => Promise<AddedAssessment>
  /** The latest frozen answers of a target. */
  snapshotOf: (targetId: string) => Promise<string>
  /** A comment of someone without an account. */
  addAssessmentComment: () => Promise<string>
  addDelegation: () => Promise<string>
  /** A request to reopen a target, which was withdrawn. */
  addTargetReopening: () => Promise<string>
  /** An action about the policy of an open assessment’s target. */
  addAction: () => Promise<string>
}

/** A change with an ID of its own. */
export function change(
  questionCode: string,
  value: unknown,
  more: Partial<Mutation> = {},
): Mutation & { value: unknown } {
  return { mutationId: crypto.randomUUID(), questionCode, rowKey: '', base: 0, value, ...more }
}

export function assessmentFactories(
  { staff, insert, customerId, organizationId }: Place,
  { addQuestionnaire }: QuestionnaireFactories,
  { createUser }: { createUser: () => Promise<string> },
): AssessmentFactories {
  const draftAssessment = async ({ facilityId, ...more }: More = {}): Promise<AddedAssessment> => {
    const added = await staff.call(assessments.add, {
      name: fresh('Assessment'),
      questionnaireId: more.questionnaireId ?? (await addQuestionnaire()).id,
      questionnaireNumber: 1,
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      opensOn: '2026-11-01',
      dueOn: '2026-11-30',
      ...more,
    })
    const { changed } = await staff.call(assessmentTargets.add, {
      assessmentId: added.id,
      targets: [{ organizationId, facilityId: facilityId ?? null }],
    })
    return { id: added.id, targetId: changed[0] ?? '', version: added.version }
  }
  const addAssessment = async (more?: More): Promise<AddedAssessment> => {
    const added = await draftAssessment(more)
    const { version } = await staff.call(assessments.open, { id: added.id, isIncomplete: true })
    return { ...added, version }
  }
  const submitAssessment = async (more?: More): Promise<AddedAssessment> => {
    const added = await addAssessment(more)
    await staff.call(assessmentAnswers.save, {
      targetId: added.targetId,
      mutations: [change('policy', 'written'), change('refilled', false)],
    })
    await staff.call(assessmentTargets.submit, { id: added.targetId })
    return added
  }
  return {
    draftAssessment,
    addAssessment,
    submitAssessment,
    async snapshotOf(targetId) {
      return (await staff.call(targetSnapshots.list, { targetId }))[0]?.id ?? ''
    },
    async addAssessmentComment() {
      const { targetId } = await addAssessment()
      // SQL, because participants call endpoints of their own.
      return insert(
        `insert into assessment_comments (customer_id, organization_id, target_id, text, written_by)
        values ($1, $2, $3, 'Check the meter.', 'Tom Becker') returning id`,
        [customerId, organizationId, targetId],
      )
    },
    async addAction() {
      const { targetId } = await addAssessment()
      return (
        await staff.call(assessmentActions.add, { targetId, questionCode: 'policy', title: fresh('Action') })
      ).id
    },
    async addTargetReopening() {
      const { targetId } = await submitAssessment()
      // The factory has one user, and a request is made for what two approved.
      return insert(
        `insert into assessment_reopenings (customer_id, organization_id, target_id, reason, decision, decided_at)
        values ($1, $2, $3, 'Wrong', 'withdrawn', app_now()) returning id`,
        [customerId, organizationId, targetId],
      )
    },
    async addDelegation() {
      const { targetId } = await addAssessment()
      const userId = await createUser()
      return (await staff.call(assessmentAnswers.delegate, { targetId, userId, questionCode: 'policy' })).id
    },
  }
}
