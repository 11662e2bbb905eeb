import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { WizardStep } from '#web/ui/wizard/wizard-steps.ts'

/** The wizard steps, each with the create permission of its function. Specification, sections 2 and 6. */
export const CARBON_STEPS = {
  start: { title: 'Start', needs: can(Func.carbonStart, Opr.create) },
  facility: { title: 'Facility', needs: can(Func.carbonFacility, Opr.create) },
  emission: { title: 'Emission', needs: can(Func.carbonEmission, Opr.create) },
  insights: { title: 'Insights', needs: can(Func.carbonInsights, Opr.create) },
} as const
export type CarbonStep = keyof typeof CARBON_STEPS

const ORDER = ['start', 'facility', 'emission', 'insights'] as const

/**
 * The four wizard steps of one inventory.
 * @param id an inventory ID, or `new`: then the later steps are locked.
 */
export function carbonSteps(id: string, steps: Inventory['steps'] | null): WizardStep[] {
  const fresh = { start: 'empty', facility: 'locked', emission: 'locked', insights: 'locked' } as const
  const states = id === 'new' ? fresh : steps
  return ORDER.map((step) => ({
    ...CARBON_STEPS[step],
    href: `/carbon/${step}?inventory=${encodeURIComponent(id)}`,
    state: states === null ? null : states[step],
  }))
}
