import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { WizardStep } from '#web/ui/wizard/wizard-steps.ts'

/** Both steps require the create permission of function 6. Specification, sections 2 and 6. */
export const STEP_GATE = can(Func.organizationWizard, Opr.create)

export const STEP_TITLES = { organization: 'Organization', facility: 'Facility' } as const

/**
 * The two wizard steps of one organization.
 * @param id an organization ID, or `new`: then the facility step is locked.
 */
export function stepsOf(id: string, steps: OrganizationProfile['steps'] | null): WizardStep[] {
  const at = `?organization=${encodeURIComponent(id)}`
  const isNew = id === 'new'
  return [
    {
      title: STEP_TITLES.organization,
      href: `/organizations/organization${at}`,
      needs: STEP_GATE,
      state: isNew ? 'empty' : (steps?.organization ?? null),
    },
    {
      title: STEP_TITLES.facility,
      href: `/organizations/facility${at}`,
      needs: STEP_GATE,
      state: isNew ? 'locked' : (steps?.facility ?? null),
    },
  ]
}
