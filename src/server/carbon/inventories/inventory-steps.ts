import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'

type Figures = Pick<
  Inventory,
  | 'facilities'
  | 'undecided'
  | 'sources'
  | 'assigned'
  | 'status'
  | 'scope3'
  | 'ownerId'
  | 'approverId'
  | 'gaps'
> & { excluded: number }

/**
 * The status of the four steps. A step is locked as long as it has nothing to work on. In a frozen inventory, steps in
 * progress count as complete, unless something was missing at the approval.
 */
export function inventorySteps(figures: Figures): Inventory['steps'] {
  const isFinal = isFrozen(figures.status) && figures.gaps.length === 0
  const statusOf = (step: StepState): StepState => (isFinal && step === 'partly' ? 'complete' : step)
  return {
    start: statusOf(isStartComplete(figures) ? 'complete' : 'partly'),
    facility: statusOf(facilityStep(figures)),
    emission: statusOf(emissionStep(figures)),
    insights: statusOf(insightsStep(figures)),
  }
}

type StepState = Inventory['steps']['start']

/** All scope 3 categories are assessed, and there is an owner and an approver. */
const isStartComplete = ({ scope3, ownerId, approverId }: Figures): boolean =>
  ownerId !== null && approverId !== null && scope3.every(({ relevance }) => relevance !== 'not_assessed')

function facilityStep({ facilities, excluded, undecided }: Figures) {
  if (facilities + excluded === 0) return 'empty'
  return undecided > 0 || facilities === 0 ? 'partly' : 'complete'
}

function emissionStep({ facilities, sources, assigned }: Figures) {
  if (facilities === 0) return 'locked'
  if (sources === 0) return 'empty'
  return assigned < sources ? 'partly' : 'complete'
}

const insightsStep = ({ sources }: Figures) => (sources === 0 ? 'locked' : 'partly')
