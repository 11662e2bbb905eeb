import type { Permission } from '#contract/permissions.ts'

/** Progress of a step. `locked`: a previous step has to be completed first. */
export type StepState = 'empty' | 'partly' | 'complete' | 'locked'

/** A step of a wizard, in order. Shown to users who hold its permission (specification, sections 2 and 6). */
export type WizardStep = Readonly<{
  title: string
  /** The page of the step, with all URL parameters. */
  href: string
  needs: Permission
  /** Null until it is known. */
  state: StepState | null
}>

type Holds = (permission: Permission) => boolean | null

export function visibleSteps(steps: readonly WizardStep[], holds: Holds): readonly WizardStep[] {
  return steps.filter(({ needs }) => holds(needs) === true)
}

/**
 * The step to show when a step's page is opened: that step, or the first one the user is allowed to see. `unknown`
 * while the permissions load, `none` if no step is allowed.
 */
export function stepFor(
  steps: readonly WizardStep[],
  wanted: string,
  holds: Holds,
): { show: 'step' | 'unknown' | 'none' } | { show: 'other'; href: string } {
  const step = steps.find(({ title }) => title === wanted)
  const isHeld = step === undefined ? false : holds(step.needs)
  if (isHeld === null) return { show: 'unknown' }
  if (isHeld) return { show: 'step' }
  const [first] = visibleSteps(steps, holds)
  return first === undefined ? { show: 'none' } : { show: 'other', href: first.href }
}
