import { sql } from 'kysely'
import {
  type carbonOpenItems,
  type OpenItem,
  type OpenItemCounts,
  type OpenItemKind,
} from '#contract/carbon/results/open-items.ts'
import type { Counted } from '#contract/lists/counted.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readCells } from '../activity/requests/request-cells.ts'
import { pointsOf } from '../inventories/coverage.ts'
import { dueBefore } from '../inventories/current-inventory.ts'
import { unusualIds } from '../review/unusual.ts'
import { FACILITIES_OF_SOURCES, facilitiesOf } from '../staleness/frozen-facilities.ts'

// The pages that show the rows need these permissions.
const OPENS_EMISSION = can(Func.carbonEmission, Opr.create)
const OPENS_INSIGHTS = can(Func.carbonInsights, Opr.create)
const SEES_RECORDS = can(Func.activityData, Opr.list)

/** A number of rows with what they belong to. `key`: the ID of a facility; null for people. */
type Share = Readonly<{ key: string | null; label: string; count: number }>
/** Rows that are open by what they belong to, the largest number first, and the path of their list; null: the caller can't open it. */
type Open = Readonly<{ groups: readonly Share[]; url: string | null }>
type OpenItems = Readonly<Record<OpenItemKind | 'submitted' | 'withoutResult', Open>>
type Inventory = Readonly<{ id: string; dueBefore: string }>

/** What keeps an inventory from being complete. */
export async function readOpenItems(db: Database, actor: Member, inventory: Inventory): Promise<OpenItems> {
  const { id } = inventory
  const points = await countPoints(db, inventory)
  const unanswered = Map.groupBy(await readUnanswered(db, id), (name) => name)
  const { rows: submitted } = await sql<Share>`
    select f.id::text as key, f.name as label, count(*)::int as count
    from activity_records r
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    ${FACILITIES_OF_SOURCES}
    where s.inventory_id = ${id} and r.replaced_at is null and r.status = 'submitted'
    group by f.id, f.name`.execute(db)
  // Scope 2 has a result for each method.
  const { rows: withoutResult } = await sql<Share>`
    select f.id::text as key, f.name as label, sum(t.missing)::int as count
    from calculation_totals t ${facilitiesOf(sql`t`)}
    where t.inventory_id = ${id} and t.missing > 0 and t.method is distinct from 'market'
    group by f.id, f.name`.execute(db)
  const open = (groups: readonly Share[], url: string | null): Open => ({
    groups: groups
      .filter(({ count }) => count > 0)
      .toSorted((one, other) => other.count - one.count || one.label.localeCompare(other.label, 'en')),
    url,
  })
  const people = [...unanswered].map(([label, { length }]) => ({ key: null, label, count: length }))
  return {
    missing: open(points.missing, emissionUrl(actor, id, { tab: 'activity', show: 'missing' })),
    estimated: open(points.estimated, emissionUrl(actor, id, { tab: 'activity', show: 'estimated' })),
    unanswered: open(people, emissionUrl(actor, id, { tab: 'assignments', show: 'unanswered' })),
    submitted: open(submitted, emissionUrl(actor, id, { tab: 'review' })),
    withoutResult: open(
      withoutResult,
      actor.may(OPENS_INSIGHTS)
        ? `/carbon/insights?${new URLSearchParams({ inventory: id, line: 'missing:', method: 'location' })}`
        : null,
    ),
  }
}

type Place = Readonly<{ tab: 'activity' | 'assignments' | 'review'; show?: string; facility?: string }>

function emissionUrl(actor: Member, inventory: string, place: Place): string | null {
  const isSeen = actor.may(OPENS_EMISSION) && (place.tab === 'assignments' || actor.may(SEES_RECORDS))
  return isSeen ? `/carbon/emission?${new URLSearchParams({ inventory, ...place })}` : null
}

type PointRow = { key: string; label: string; missing: number; estimated: number }

/** Data points that are due and missing or only estimated, by facility. */
async function countPoints(db: Database, { id, dueBefore: before }: Inventory) {
  const { rows } = await sql<PointRow>`
    with ${pointsOf(sql`s.inventory_id = ${id}`)}
    select facility_id::text as key, name as label, (count(*) filter (where ${IS.missing}))::int as missing,
      (count(*) filter (where ${IS.estimated}))::int as estimated
    from points where last < ${before}::date group by facility_id, name`.execute(db)
  const of = (kind: 'missing' | 'estimated'): Share[] =>
    rows.map(({ key, label, [kind]: count }) => ({ key, label, count }))
  return { missing: of('missing'), estimated: of('estimated') }
}

const IS = {
  missing: sql<boolean>`is_empty`,
  estimated: sql<boolean>`is_estimated and not is_there`,
}

/** The names of those who were asked for a source and have entered nothing since, one for each source. */
async function readUnanswered(db: Database, inventoryId: string): Promise<string[]> {
  const cells = await readCells(db, inventoryId)
  return cells.flatMap(({ asked }) =>
    asked !== null && asked.answeredAt === null ? [asked.dataOwnerName] : [],
  )
}

const sumOf = (groups: readonly Share[]): number => groups.reduce((sum, { count }) => sum + count, 0)

/** The open items of an inventory as figures and lists. */
export const openItemHandlers: Handlers<typeof carbonOpenItems> = {
  async counts({ db, actor, input: { inventoryId } }): Promise<OpenItemCounts> {
    const open = await readOpenItems(db, actor, await findDueBefore(db, inventoryId))
    const counted = ({ groups, url }: Open): Counted => ({ count: sumOf(groups), url })
    const submitted = counted(open.submitted)
    return {
      missing: {
        ...counted(open.missing),
        facilities: open.missing.groups.map(({ key, label, count }) => ({
          facilityId: key ?? '',
          name: label,
          count,
          url: emissionUrl(actor, inventoryId, { tab: 'activity', show: 'missing', facility: key ?? '' }),
        })),
      },
      estimated: counted(open.estimated),
      unanswered: counted(open.unanswered),
      submitted,
      unusual: {
        count: submitted.count === 0 ? 0 : (await unusualIds(db, inventoryId)).length,
        url: emissionUrl(actor, inventoryId, { tab: 'review', show: 'unusual' }),
      },
      withoutResult: counted(open.withoutResult),
    }
  },

  async list({ db, input: { inventoryId, kind, facilityId, page, pageSize } }) {
    const inventory = await findDueBefore(db, inventoryId)
    const all =
      kind === 'unanswered' ? await listUnanswered(db, inventoryId) : await listPoints(db, inventory, kind)
    const found = all.filter((item) => facilityId === undefined || item.facilityId === facilityId)
    return {
      filteredRows: found.length,
      totalRows: all.length,
      results: found.slice((page - 1) * pageSize, page * pageSize),
    }
  },
}

async function listPoints(
  db: Database,
  { id, dueBefore: before }: Inventory,
  kind: 'missing' | 'estimated',
): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    with ${pointsOf(sql`s.inventory_id = ${id}`)}
    select id::text as source_id, source_type, source_name, source_label, facility_id::text, name as facility_name,
      first::text as "from", last::text as "to", null as data_owner_name
    from points where last < ${before}::date and ${IS[kind]} order by code, source_type, id, first`.execute(
    db,
  )
  return rows
}

async function listUnanswered(db: Database, inventoryId: string): Promise<OpenItem[]> {
  const cells = await readCells(db, inventoryId)
  return cells.flatMap(
    ({ asked, sourceId, sourceType, sourceName, sourceLabel, facilityId, facilityName }) => {
      if (asked === null || asked.answeredAt !== null) return []
      const { dataOwnerName } = asked
      const source = { sourceId, sourceType, sourceName, sourceLabel, facilityId, facilityName }
      return [{ ...source, from: null, to: null, dataOwnerName }]
    },
  )
}

/** @throws Failure 404 for the inventory */
async function findDueBefore(db: Database, inventoryId: string): Promise<Inventory> {
  const { rows } = await sql<Inventory>`
    select i.id::text, ${dueBefore} as due_before from carbon_inventories i
    join organizations o on o.customer_id = i.customer_id and o.id = i.organization_id where i.id = ${inventoryId}`.execute(
    db,
  )
  if (rows[0] === undefined) throw notFound('Inventory')
  return rows[0]
}
