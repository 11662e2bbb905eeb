import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'

type Figures = Pick<
  Inventory,
  'facilities' | 'undecided' | 'sources' | 'assigned' | 'status' | 'scope3' | 'ownerId' | 'approverId'
> & { excluded: number }

/**
 * How far the four steps are. A step is locked while there is nothing yet that it could be about; what is approved has
 * no step that still goes on.
 */
export function inventorySteps(figures: Figures): Inventory['steps'] {
  const isOver = isFrozen(figures.status)
  const goesOn = (step: StepState): StepState => (isOver && step === 'partly' ? 'complete' : step)
  return {
    start: goesOn(isSettled(figures) ? 'complete' : 'partly'),
    facility: goesOn(facilityStep(figures)),
    emission: goesOn(emissionStep(figures)),
    insights: goesOn(insightsStep(figures)),
  }
}

type StepState = Inventory['steps']['start']

/** Every category of scope 3 was looked at, and somebody answers for the inventory and somebody approves it. */
const isSettled = ({ scope3, ownerId, approverId }: Figures): boolean =>
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
