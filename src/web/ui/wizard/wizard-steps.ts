import type { Permission } from '#contract/permissions.ts'

/** How far a step is. `locked`: something before it has to be done first. */
export type StepState = 'empty' | 'partly' | 'complete' | 'locked'

/** A step of a wizard, in order. It shows to those who hold its permission (specification, sections 2 and 6). */
export type WizardStep = Readonly<{
  title: string
  /** Its page, with everything the address needs. */
  href: string
  needs: Permission
  /** Null while it is not known. */
  state: StepState | null
}>

type Holds = (permission: Permission) => boolean | null

export function visibleSteps(steps: readonly WizardStep[], holds: Holds): readonly WizardStep[] {
  return steps.filter(({ needs }) => holds(needs) === true)
}

/**
 * What somebody sees who opens the page of a step: that step, or the first one they may see in its place. `unknown`
 * while their permissions are on the way, `none` where no step shows to them.
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
