import { can, Func, Opr } from '#contract/permissions.ts'
import type { Decision, dashboard } from '#contract/home/dashboard.ts'
import { readCurrentInventory, readDuePoints, readOpenItems, readTotals } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'

/** The most facilities or users that are named in a tile. */
const MOST_GROUPS = 3
// The pages that the tiles open need these permissions.
const OPENS_EMISSION = can(Func.carbonEmission, Opr.create)
const OPENS_INSIGHTS = can(Func.carbonInsights, Opr.create)
const REVIEWS = can(Func.carbonEmission, Opr.update)
const SEES_RECORDS = can(Func.activityData, Opr.list)

type Tile = Pick<Decision, 'id' | 'tone' | 'groups'> & {
  nouns: readonly [one: string, many: string]
  url: string
}

/** What the current inventory needs: data, answers, reviews and factors. Empty without an open inventory. */
export async function readCarbonDecisions(db: Database, actor: Member): Promise<Decision[]> {
  if (!actor.may(OPENS_EMISSION)) return []
  const inventory = await readCurrentInventory(db, actor)
  if (inventory === null || (inventory.status !== 'collecting' && inventory.status !== 'in_review')) return []
  const { facilities } = await readDuePoints(db, inventory.id, inventory.dueBefore)
  const { unanswered, submitted, withoutResult } = await readOpenItems(db, inventory.id)
  const emission = (tab: string) =>
    `/carbon/emission?${new URLSearchParams({ inventory: inventory.id, tab })}`
  const missing = facilities
    .filter((facility) => facility.missing > 0)
    .toSorted((one, other) => other.missing - one.missing)
    .map((facility) => ({ label: facility.name, count: facility.missing }))
  const tiles: (Tile | false)[] = [
    actor.may(SEES_RECORDS) && {
      id: 'data-points-missing',
      tone: 'bad',
      nouns: ['data point missing', 'data points missing'],
      groups: missing,
      url: emission('activity'),
    },
    {
      id: 'requests-unanswered',
      tone: 'warn',
      nouns: ['requested source without an answer', 'requested sources without an answer'],
      groups: unanswered,
      url: emission('assignments'),
    },
    actor.may(REVIEWS) &&
      actor.may(SEES_RECORDS) && {
        id: 'records-to-review',
        tone: 'info',
        nouns: ['record to review', 'records to review'],
        groups: submitted,
        url: emission('review'),
      },
    actor.may(OPENS_INSIGHTS) && {
      id: 'sources-without-result',
      tone: 'warn',
      nouns: ['source without a result', 'sources without a result'],
      groups: withoutResult,
      url: `/carbon/insights?${new URLSearchParams({ inventory: inventory.id, line: 'missing:' })}`,
    },
  ]
  return tiles.flatMap((tile) => (tile !== false && tile.groups.length > 0 ? [toDecision(tile)] : []))
}

function toDecision({ nouns, groups, ...tile }: Tile): Decision {
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  return { ...tile, count, noun: count === 1 ? nouns[0] : nouns[1], groups: groups.slice(0, MOST_GROUPS) }
}

/** The emissions of the current inventory to date, and its data points by facility and month. */
export const readCarbonFigures: Handlers<typeof dashboard>['carbon'] = async ({ db, actor }) => {
  const inventory = await readCurrentInventory(db, actor)
  if (inventory === null) return null
  const { total, scopes, gaps, pending } = await readTotals(db, inventory.id)
  return {
    inventory,
    total,
    scopes,
    gaps,
    pending,
    points: await readDuePoints(db, inventory.id, inventory.dueBefore),
  }
}
