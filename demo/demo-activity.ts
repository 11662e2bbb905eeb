import { sql } from 'kysely'
import { ActivityInput } from '#contract/carbon/activity/activity-schema.ts'
import { InstrumentInput } from '#contract/carbon/activity/instruments.ts'
import { changeReviewStatus, readSources, saveInstrument, saveRecords } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { FUEL_CARD_SOURCE, importFuelCards } from './demo-activity-import.ts'
import { type DemoPlace, makeBills } from './demo-bills.ts'

type Year = {
  inventoryId: string
  /** Facilities that get bills. */
  places: readonly (DemoPlace & { id: string })[]
  year: number
  /** `2026-11-22`: there are no later bills. */
  today: string
  isClosed: boolean
  review: { submitter: string; approver: string }
  act: (who: 'owner' | 'approver', endpoint: string) => Promise<void>
  /** Called once the bills are saved, before they are submitted. */
  onEntered: () => Promise<void>
}

/**
 * Adds a year of bills as if a user had pasted them, and takes them through the review. In the current year the newest
 * are drafts, some older ones await review, and a few were returned with a question. The latest fuel card statements are
 * imported from a file, and one bill in review has an extra digit.
 */
export async function addDemoActivity(
  db: Database,
  { inventoryId, places, year, today, isClosed, review, act, onEntered }: Year,
): Promise<void> {
  const sources = await readSources(db, inventoryId)
  const all = places.flatMap((place) =>
    sources
      .filter(({ facilityId }) => facilityId === place.id)
      .flatMap(({ id, sourceType, unit }) =>
        makeBills(place, sourceType, { year, today, isClosed }).map((bill) => ({
          bill: { ...bill, placeCode: place.code, unit },
          sourceId: id,
        })),
      ),
  )
  // The start of the periods that are drafts, and of those in review.
  const [drafts, submitted] = isClosed ? ['9', '9'] : [monthsBefore(today, 1), monthsBefore(today, 3)]
  const isNew = ({ periodEnd }: { periodEnd: string }) => periodEnd >= drafts
  const isFiled = ({ bill }: (typeof all)[number]) => bill.sourceType === FUEL_CARD_SOURCE && isNew(bill)
  const slip = all.findLast(
    ({ bill }) =>
      bill.sourceType === MISREAD_SOURCE &&
      bill.reference !== null &&
      bill.periodEnd >= submitted &&
      !isNew(bill),
  )?.bill
  const rows = all
    .filter((one) => !isFiled(one))
    .map(({ sourceId, bill: { sourceType: _type, placeCode: _code, unit, ...bill } }) => ({
      ...bill,
      quantity: slip !== undefined && bill.reference === slip.reference ? `${bill.quantity}0` : bill.quantity,
      sourceId,
      calorificBasis: unit === 'therm' ? 'gross' : null,
      estimateMethod: bill.kind === 'estimate' ? 'same_month_last_year' : null,
    }))
  if (rows.length === 0) return
  await act('owner', 'activities.save')
  const saved = await saveRecords(
    db,
    { may: () => true },
    {
      inventoryId,
      rows: rows.map((record, at) => ({ key: String(at), record: ActivityInput.parse(record) })),
    },
  )
  const refused = saved.rows.find(({ state }) => state !== 'saved')
  if (refused) throw new Error(`A bill of the demo world is refused: ${JSON.stringify(refused.problems)}`)
  const records = saved.rows.flatMap(({ record }) => (record === null ? [] : [record]))
  await onEntered()
  const sent = records.filter((record) => !isNew(record))
  const waiting = sent.filter(({ periodEnd }) => periodEnd >= submitted)
  await act('owner', 'activities.submit')
  const move = (
    moved: typeof records,
    effectiveUserId: string,
    how: Parameters<typeof changeReviewStatus>[2]['move'],
  ) =>
    changeReviewStatus(
      db,
      { effectiveUserId },
      { inventoryId, records: moved, move: how, comment: how === 'return' ? QUESTION : null },
    )
  await move(sent, review.submitter, 'submit')
  await act('approver', 'activities.approve')
  await move(
    sent.filter((record) => !waiting.includes(record)),
    review.approver,
    'approve',
  )
  await act('approver', 'activities.returnRecords')
  await move(
    waiting.filter(
      ({ reference }, at) => at % 9 === 4 && (slip === undefined || reference !== slip.reference),
    ),
    review.approver,
    'return',
  )
  await act('owner', 'activityImports.add')
  await importFuelCards(
    db,
    inventoryId,
    all.filter((one) => isFiled(one)).map(({ bill }) => bill),
  )
}

/** The source of the bill with an extra digit. */
const MISREAD_SOURCE = 'water'
const QUESTION = 'This is far from the month before. Please check it against the bill.'

/** The first day of the month that is `months` months ago. */
function monthsBefore(today: string, months: number): string {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10)
}

/**
 * The factors to choose manually for a year before the first edition of the library: those of the oldest edition. The
 * results are flagged because the factors were not valid yet.
 */
export async function findEarlyFactors(db: Database, year: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ activity: string; id: string }>`
    select distinct on (f.activity) f.activity, f.id::text from library.factors f
    where f.region in ('US-CAMX', 'US', 'any') and f.use = 'inventory' and f.superseded_by is null and f.dataset_id is not null
      and not exists (select from library.factors g where g.activity = f.activity and g.region in ('US-CAMX', 'US', 'any')
        and g.valid_from <= make_date(${year}, 1, 1))
    order by f.activity, f.valid_from, f.region = 'US-CAMX' desc, f.calorific_basis = 'gross' desc nulls last, f.id`.execute(
    db,
  )
  return new Map(rows.map(({ activity, id }) => [activity, id]))
}

/** Covers part of the electricity of one facility with certificates, and that of another with a supplier-specific factor. */
export async function buyElectricity(
  db: Database,
  inventoryId: string,
  { certificates, supplier }: { certificates: string; supplier: string },
): Promise<void> {
  const { rows } = await sql<{ code: string; id: string; used: string }>`
    select f.code, s.id::text, round(sum(r.quantity) * 0.4)::text as used from emission_sources s
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
    where s.inventory_id = ${inventoryId} and s.source_type = 'electricity' group by f.code, s.id`.execute(db)
  const of = (wanted: string) => rows.find(({ code }) => code === wanted)
  const [one, other] = [of(certificates), of(supplier)]
  if (one === undefined || other === undefined) return
  const unit = 'kWh'
  const wind = {
    inventoryId,
    kind: 'certificate',
    name: 'Valley Wind certificates',
    quantity: one.used,
    unit,
    kgCo2e: '0',
    sourceNote: 'Registry WREGIS, serial numbers with the supplier\u2019s letter of January',
    allocations: [{ sourceId: one.id, quantity: one.used }],
  }
  const rate = {
    inventoryId,
    kind: 'supplier_rate',
    name: 'Valley Power, green tariff',
    unit,
    kgCo2e: '0.0412',
    sourceNote: 'Power content label of the supplier',
    allocations: [{ sourceId: other.id }],
  }
  for (const instrument of [wind, rate]) await saveInstrument(db, InstrumentInput.parse(instrument))
}
