import type { Assessment, UnanswerableTarget } from '#contract/assessments/assessments/assessments.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { StepState, WizardStep } from '#web/ui/wizard/wizard-steps.ts'
import { STEP_IDS } from '../page-parts.ts'

export type AssessmentStep = (typeof STEP_IDS)[number]
export const STEP_TITLES = { details: 'Details', targets: 'Targets', people: 'People', open: 'Open' } as const

const READ = can(Func.assessments, Opr.read)

/**
 * The steps from a draft to an open assessment.
 * @param assessment null for a new one.
 * @param unanswerable the targets no one can answer; null until it is known.
 */
export function assessmentSteps(
  assessment: Pick<Assessment, 'id' | 'targets'> | null,
  unanswerable: readonly UnanswerableTarget[] | null,
): WizardStep[] {
  const states = statesOf(assessment, unanswerable)
  return STEP_IDS.map((step) => ({
    title: STEP_TITLES[step],
    href: assessment === null ? hrefOfNew(step) : `/assessments/${assessment.id}?step=${step}`,
    needs: assessment === null ? can(Func.assessments, Opr.create) : READ,
    state: states[step],
  }))
}

/** The later steps are locked. Their own addresses keep them apart from the current one. */
const hrefOfNew = (step: AssessmentStep): string =>
  step === 'details' ? '/assessments/new' : `/assessments/new?step=${step}`

function statesOf(
  assessment: Pick<Assessment, 'targets'> | null,
  unanswerable: readonly UnanswerableTarget[] | null,
): Record<AssessmentStep, StepState | null> {
  if (assessment === null) return { details: 'empty', targets: 'locked', people: 'locked', open: 'locked' }
  if (assessment.targets === 0)
    return { details: 'complete', targets: 'empty', people: 'locked', open: 'locked' }
  if (unanswerable === null) return { details: 'complete', targets: 'complete', people: null, open: null }
  const isReady = unanswerable.length === 0
  const isUntouched = unanswerable.length === assessment.targets
  return {
    details: 'complete',
    targets: 'complete',
    people: isReady ? 'complete' : unready(isUntouched),
    open: 'empty',
  }
}

const unready = (isUntouched: boolean): StepState => (isUntouched ? 'empty' : 'partly')
