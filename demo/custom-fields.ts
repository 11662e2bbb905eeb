import type { CustomField } from '#contract/customers/custom-fields.ts'
import type { NewVehicle } from '#server/inventory/index.ts'
import { madeBy } from './chance.ts'

/** The fields that every demo customer made for its vehicles. */
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

/** Where the keys of some vehicles hang, and how far those are that somebody prepares. Draws of its own. */
export function withCustomValues(vehicles: readonly NewVehicle[]): NewVehicle[] {
  const chance = madeBy(`custom fields of ${vehicles[0]?.stock}`)
  return vehicles.map((vehicle) => {
    const { status } = vehicle
    const board = chance.happens(0.3) ? `Board ${chance.whole(1, 4)}, hook ${chance.whole(1, 60)}` : null
    const isStaged = status === 'preparing' || (status === 'live' && chance.happens(0.2))
    const stage = isStaged ? chance.oneOf(STAGES[status]) : null
    const custom = {
      ...(board !== null && { custom_key_board: board }),
      ...(stage !== null && { custom_stage: stage }),
    }
    return Object.keys(custom).length === 0 ? vehicle : { ...vehicle, custom }
  })
}
