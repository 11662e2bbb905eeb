import { suggestedAt } from '#contract/carbon/source-types.ts'
import { NewInventory } from '#contract/carbon/inventories.ts'
import type { InventoryStatus } from '#contract/carbon/inventory-fields.ts'
import { addInventory, chooseFacilities, saveAssignments } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** An inventory of a year, counted from the running one; its people by their user names. */
export type DemoInventory = {
  yearsAgo: number
  status: InventoryStatus
  isBaseYear?: boolean
  owner: string
  approver: string
  /** Who brings the figures of electricity and gas; null: nobody yet. Nothing is assigned without it. */
  keeper?: string | null
  /** Left out, by their codes, and why. */
  excluded?: Readonly<Record<string, string>>
}

const NOT_RELEVANT: Readonly<Record<number, string>> = {
  8: 'Nothing is leased from others that scopes 1 and 2 leave out.',
  10: 'Vehicles are sold as they are.',
  14: 'No franchises are given.',
}

/** Adds the inventories of one organization with what is suggested for its facilities, by the product's functions. */
export async function addDemoInventories(
  db: Database,
  organizationId: string,
  inventories: readonly DemoInventory[],
  { people, year }: { people: ReadonlyMap<string, string>; year: number },
): Promise<void> {
  const facilities = await db
    .selectFrom('facilities')
    .select(['id', 'code', 'level', 'type'])
    .where('organizationId', '=', organizationId)
    .where('level', 'not in', ['group', 'entity'])
    .orderBy('code')
    .execute()
  for (const {
    yearsAgo,
    status,
    isBaseYear = false,
    owner,
    approver,
    keeper,
    excluded = {},
  } of inventories) {
    const of = year - yearsAgo
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
        const reason = NOT_RELEVANT[at + 1] ?? null
        const relevance = reason === null ? 'relevant' : 'not_relevant'
        return { category: at + 1, relevance, reason }
      }),
      denominators: [{ kind: 'staff', amount: String(130 - yearsAgo * 4), unit: 'people' }],
    })
    const { id } = await addInventory(db, { ...input, organizationId })
    const place = { id, organizationId }
    await chooseFacilities(
      db,
      place,
      facilities.map(({ id: facilityId, code }) => {
        const reason = excluded[code] ?? null
        return { facilityId, choice: reason === null ? 'included' : 'excluded', reason }
      }),
    )
    const changes = facilities
      .filter(({ code }) => excluded[code] === undefined)
      .flatMap((facility) =>
        suggestedAt(facility, new Set()).map(({ id: sourceType, scope }) => ({
          facilityId: facility.id,
          sourceType,
          isAssigned: true as const,
          personId: (scope.startsWith('3.') ? null : people.get(keeper ?? '')) ?? null,
          dueOn: `${of + 1}-02-15`,
        })),
      )
    if (keeper !== undefined) await saveAssignments(db, place, changes)
    const reason = status === 'locked' ? 'Reported to the group' : null
    await db
      .updateTable('carbonInventories')
      .set({ status, statusReason: reason })
      .where('id', '=', id)
      .execute()
  }
}
