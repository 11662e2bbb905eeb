import { ActivityInput } from '#contract/carbon/activity/activity-schema.ts'
import { addCustomSource, readSources, saveRecords } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { DemoPlace } from './demo-bills.ts'

type DemoSource = {
  name: string
  /** Of the facility that has it. */
  type: DemoPlace['type']
  scope: string
  activity: string
  unit: string
  label: string | null
  /** Of a year. */
  quantity: number
}

/** Sources that the standard ones don't cover: a second boiler with its own meter, and a generator. */
const SOURCES: readonly DemoSource[] = [
  {
    name: 'Boiler 2, parts department',
    type: 'workshop',
    scope: '1',
    activity: 'combustion/natural-gas',
    unit: 'therm',
    label: 'Meter 88-2041',
    quantity: 2_640,
  },
  {
    name: 'Backup generator',
    type: 'showroom',
    scope: '1',
    activity: 'combustion/distillate-fuel-oil-no-2',
    unit: 'gallon',
    label: null,
    quantity: 420,
  },
]

type Year = {
  inventory: { id: string; organizationId: string }
  /** Included facilities. */
  places: readonly (DemoPlace & { id: string })[]
  year: number
  /** `2026-11-22`: there are no later bills. */
  today: string
  act: (endpoint: string) => Promise<void>
}

/** Adds custom sources to an open inventory, each with bills of the quarters that have ended. */
export async function addDemoCustomSources(
  db: Database,
  { inventory, places, year, today, act }: Year,
): Promise<void> {
  const bills = []
  for (const { type, quantity, ...source } of SOURCES) {
    const place = places.find((one) => one.type === type && one.closedOn === null)
    if (place === undefined) continue
    await act('customSources.add')
    const id = await addCustomSource(db, inventory, {
      ...source,
      facilityIds: [place.id],
      frequency: 'quarter',
    })
    const added = (await readSources(db, inventory.id)).find(({ sourceType }) => sourceType === `own-${id}`)
    if (added === undefined) throw new Error(`${source.name} was not assigned.`)
    for (const [periodStart, periodEnd] of quartersOf(year).filter(([, end]) => end <= today))
      bills.push({
        sourceId: added.id,
        kind: 'calculated',
        quantity: String(quantity / 4),
        unit: source.unit,
        calorificBasis: source.unit === 'therm' ? 'gross' : null,
        periodStart,
        periodEnd,
        quality: 2,
      })
  }
  if (bills.length === 0) return
  await act('activities.save')
  const { rows } = await saveRecords(
    db,
    { may: () => true },
    {
      inventoryId: inventory.id,
      rows: bills.map((record, at) => ({ key: String(at), record: ActivityInput.parse(record) })),
    },
  )
  const refused = rows.find(({ state }) => state !== 'saved')
  if (refused) throw new Error(`A bill of the demo world is refused: ${JSON.stringify(refused.problems)}`)
}

const quartersOf = (year: number): readonly (readonly [string, string])[] => [
  [`${year}-01-01`, `${year}-03-31`],
  [`${year}-04-01`, `${year}-06-30`],
  [`${year}-07-01`, `${year}-09-30`],
  [`${year}-10-01`, `${year}-12-31`],
]
