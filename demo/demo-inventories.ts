import { suggestedAt } from '#contract/carbon/inventories/source-types.ts'
import { NewInventory } from '#contract/carbon/inventories/inventories.ts'
import type { InventoryStatus } from '#contract/carbon/inventories/inventory-schema.ts'
import type { Level } from '#contract/organizations/facilities/facility-schema.ts'
import {
  addInventory,
  addReopening,
  approveInventory,
  changeStatus,
  chooseFacilities,
  readApprovalFacts,
  restateInventory,
  saveAssignments,
} from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addDemoActivity, buyElectricity, findEarlyFactors } from './demo-activity.ts'
import { type DemoPlace, frequencyOf } from './demo-bills.ts'
import { addDemoCustomSources } from './demo-custom-sources.ts'

/** A yearly inventory, relative to the current year, with users by user name. */
export type DemoInventory = {
  yearsAgo: number
  status: InventoryStatus
  isBaseYear?: boolean
  owner: string
  approver: string
  /** The data owner for electricity and gas; null: not assigned yet. */
  keeper?: string | null
  /** Excluded facilities by code, with the reason. */
  excluded?: Readonly<Record<string, string>>
  /** Facilities whose electricity is covered by certificates or a supplier-specific factor. */
  bought?: { certificates: string; supplier: string }
  /** Restated to add these facilities, for this reason. */
  restated?: { includes: readonly string[]; reason: string }
  /** The owner asks to reopen it, for this reason, and no one has confirmed it yet. */
  asksToReopen?: string
}

const NOT_RELEVANT: Readonly<Record<number, string>> = {
  8: 'All leased assets are included in scopes 1 and 2.',
  10: 'Vehicles are sold without further processing.',
  14: 'The company grants no franchises.',
}

/** Sources without a published US factor; not assigned in closed years. */
const WITHOUT_FACTOR = new Set(['waste_oil'])

type InventoryPlace = DemoPlace & { id: string; level: Level }
type Setting = {
  people: ReadonlyMap<string, string>
  /** Records further changes as made by this user. */
  act: (userName: string, endpoint: string) => Promise<void>
  now: Date
}

/**
 * Adds the inventories of an organization with the product's functions: suggested sources, bills of the year, their
 * review, and purchased electricity. Closed years are almost complete.
 */
export async function addDemoInventories(
  db: Database,
  organizationId: string,
  inventories: readonly DemoInventory[],
  setting: Setting,
): Promise<void> {
  const places = inventories.length === 0 ? [] : await readPlaces(db, organizationId)
  for (const inventory of inventories) {
    await setting.act(inventory.owner, 'carbonInventories.add')
    await addDemoInventory(db, { organizationId, places, inventory }, setting)
  }
}

async function readPlaces(db: Database, organizationId: string): Promise<InventoryPlace[]> {
  const rows = await db
    .selectFrom('facilities')
    .select(['id', 'code', 'level', 'type', 'floorArea', 'staff', 'openedOn', 'closedOn'])
    .where('organizationId', '=', organizationId)
    .where('level', 'not in', ['group', 'entity'])
    .orderBy('code')
    .execute()
  return rows.map(({ floorArea, staff, ...place }) => ({
    ...place,
    floorArea: Number(floorArea ?? 0),
    staff: staff ?? 0,
  }))
}

/** The reporting year: data of a year is still collected in the first three months of the next one. */
export function runningYear(now: Date): number {
  const isGathering = now.getUTCMonth() < 3
  return now.getUTCFullYear() - (isGathering ? 1 : 0)
}

async function addDemoInventory(
  db: Database,
  {
    organizationId,
    places,
    inventory,
  }: { organizationId: string; places: readonly InventoryPlace[]; inventory: DemoInventory },
  setting: Setting,
): Promise<void> {
  const { people, now, act } = setting
  const {
    yearsAgo,
    status,
    keeper,
    owner,
    approver,
    excluded = {},
    bought,
    restated,
    asksToReopen,
  } = inventory
  const of = runningYear(now) - yearsAgo
  const { id } = await addOne(db, { ...inventory, of, organizationId }, people)
  const isClosed = yearsAgo > 0
  const choose =
    (chosen: readonly InventoryPlace[]) => async (inventoryId: string, without: typeof excluded) => {
      const place = { id: inventoryId, organizationId }
      const choices = chosen.map(({ id: facilityId, code }) => {
        const reason = without[code] ?? null
        const choice = reason === null ? ('included' as const) : ('excluded' as const)
        return { facilityId, choice, reason }
      })
      await chooseFacilities(db, place, choices, { organizationId, may: () => true })
      if (keeper === undefined) return
      const included = chosen.filter(({ code }) => without[code] === undefined)
      const byHand = await findEarlyFactors(db, of)
      const changes = included.flatMap((facility) =>
        suggestedAt(facility, new Set())
          .filter(({ id: type }) => !isClosed || !WITHOUT_FACTOR.has(type))
          .map(({ id: sourceType, scope, us: [activity] }) => ({
            facilityId: facility.id,
            sourceType,
            isAssigned: true as const,
            dataOwnerId: (scope.startsWith('3.') ? null : people.get(keeper ?? '')) ?? null,
            dueOn: `${of + 1}-02-15`,
            frequency: frequencyOf(sourceType),
            factorId: byHand.get(activity) ?? null,
          })),
      )
      await saveAssignments(db, place, changes)
      await addDemoActivity(db, {
        inventoryId,
        places: included,
        year: of,
        isClosed,
        today: now.toISOString().slice(0, 10),
        review: { submitter: people.get(owner) ?? '', approver: people.get(approver) ?? '' },
        act: (who, endpoint) => act(who === 'owner' ? owner : approver, endpoint),
        // Before the review, because it changes the market-based results.
        onEntered: async () => {
          if (bought && inventoryId === id) await buyElectricity(db, id, bought)
        },
      })
      if (isClosed) return
      await addDemoCustomSources(db, {
        inventory: place,
        places: included,
        year: of,
        today: now.toISOString().slice(0, 10),
        act: (endpoint) => act(owner, endpoint),
      })
    }
  const actAs = (who: 'owner' | 'approver') =>
    act(who === 'owner' ? owner : approver, 'carbonInventories.setStatus')
  await choose(places)(id, excluded)
  await takeTo(db, id, status, actAs)
  if (asksToReopen !== undefined) {
    await act(owner, 'inventoryReopenings.request')
    await addReopening(db, { id, organizationId, status }, { status: 'collecting', reason: asksToReopen })
  }
  if (!restated) return
  await act(approver, 'carbonInventories.restate')
  const year = { periodStart: `${of}-01-01`, periodEnd: `${of}-12-31` }
  const closed = { id, organizationId, status: 'locked', name: `Carbon ${of}`, ...year } as const
  const later = await restateInventory(db, closed, restated.reason)
  await choose(places.filter(({ code }) => restated.includes.includes(code)))(later.id, {})
  await takeTo(db, later.id, 'locked', actAs)
}

async function addOne(
  db: Database,
  {
    of,
    organizationId,
    yearsAgo,
    isBaseYear = false,
    owner,
    approver,
    keeper,
  }: DemoInventory & { of: number; organizationId: string },
  people: ReadonlyMap<string, string>,
): Promise<{ id: string; organizationId: string; status: InventoryStatus }> {
  const {
    organizationId: _organization,
    version: _version,
    ...input
  } = NewInventory.parse({
    name: `Carbon ${of}`,
    periodStart: `${of}-01-01`,
    periodEnd: `${of}-12-31`,
    boundary: 'operational',
    yearRule: 'latest',
    isBaseYear,
    ownerId: people.get(owner),
    approverId: people.get(approver),
    scope3: Array.from({ length: 15 }, (_, at) => {
      const reason = NOT_RELEVANT[at + 1] ?? (at === 2 ? NOT_ASSESSED : null)
      if (at === 2) return { category: 3, relevance: 'not_assessed', reason }
      const relevance = reason === null ? 'relevant' : 'not_relevant'
      return { category: at + 1, relevance, reason }
    }),
    denominators: [{ kind: 'staff', amount: String(130 - yearsAgo * 4), unit: 'people' }],
  })
  const added = await addInventory(db, { ...input, organizationId })
  // Records are calculated from here on, so that status changes don't calculate them twice.
  if (keeper !== undefined) await changeStatus(db, added, { status: 'collecting', reason: null })
  return added
}

const NOT_ASSESSED = 'The library has no well-to-tank factors for the United States yet.'

const ORDER = ['draft', 'collecting', 'in_review', 'approved', 'locked'] as const
const APPROVED_ANYWAY =
  'The missing bills were not available. They are small and will be added by a restatement.'

/** Changes the status step by step: the owner submits, the approver approves what is there and locks it. */
async function takeTo(
  db: Database,
  id: string,
  target: InventoryStatus,
  actAs: (who: 'owner' | 'approver') => Promise<void>,
): Promise<void> {
  const found = await db
    .selectFrom('carbonInventories')
    .select(['id', 'organizationId', 'status'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  let { status } = found
  for (const next of ORDER.slice(ORDER.findIndex((one) => one === status) + 1)) {
    if (ORDER.findIndex((one) => one === target) < ORDER.indexOf(next)) break
    await actAs(next === 'collecting' || next === 'in_review' ? 'owner' : 'approver')
    const approved = next === 'approved' ? await readApprovalFacts(db, id) : null
    const isIncomplete = approved !== null && approved.gaps.length > 0
    const reason = isIncomplete ? APPROVED_ANYWAY : null
    const inventory = { ...found, status }
    if (approved === null) {
      await changeStatus(db, inventory, {
        status: next,
        reason: next === 'locked' ? 'Reported to the group' : null,
      })
    } else await approveInventory(db, inventory, { reason, approved })
    status = next
  }
}
