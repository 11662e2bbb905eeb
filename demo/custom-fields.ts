import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Chance } from './chance.ts'
import type { VehicleBasics } from './demo-vehicle.ts'

/** The custom vehicle fields of every demo customer. */
export const DEMO_FIELDS: CustomField[] = [
  { key: 'key_board', name: 'Key board', kind: 'text', unit: null, choices: [], isArchived: false },
  {
    key: 'stage',
    name: 'Reconditioning',
    kind: 'choice',
    unit: null,
    choices: ['Inspection', 'Workshop', 'Cleaning', 'Ready'],
    isArchived: false,
  },
]

const STAGES = { preparing: ['Inspection', 'Workshop', 'Cleaning'], live: ['Ready'] } as const

/** Custom field values of a vehicle: the key board for some, the reconditioning stage while preparing. */
export function customValuesOf({ status }: VehicleBasics, chance: Chance): Record<string, string> {
  const board = `Board ${chance.whole(1, 4)}, hook ${chance.whole(1, 60)}`
  const hasBoard = chance.happens(0.3)
  const isStaged = chance.happens(0.2)
  const stage = chance.oneOf(STAGES.preparing)
  return {
    ...(hasBoard && { custom_key_board: board }),
    ...(status === 'preparing' && { custom_stage: stage }),
    ...(status === 'live' && isStaged && { custom_stage: STAGES.live[0] }),
  }
}
