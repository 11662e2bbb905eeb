import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type { TotalLine } from '#contract/carbon/activity/ledger-schema.ts'
import { type LedgerTotal, lineText } from '#contract/carbon/results/ledger-filter.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Decision, dashboard, EmissionLine } from '#contract/home/dashboard.ts'
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

/** The tiles by what is open, with their words for one and for several rows. */
const TILES = [
  {
    id: 'data-points-missing',
    of: 'missing',
    tone: 'bad',
    nouns: ['data point missing', 'data points missing'],
  },
  {
    id: 'requests-unanswered',
    of: 'unanswered',
    tone: 'warn',
    nouns: ['requested source without an answer', 'requested sources without an answer'],
  },
  {
    id: 'records-to-review',
    of: 'submitted',
    tone: 'info',
    nouns: ['record to review', 'records to review'],
  },
  {
    id: 'results-missing',
    of: 'withoutResult',
    tone: 'warn',
    nouns: ['row without a result', 'rows without a result'],
  },
] as const

/** What the current inventory needs: data, answers, reviews and factors. Empty without an open inventory. */
export async function readCarbonDecisions(db: Database, actor: Member): Promise<Decision[]> {
  if (!actor.may(OPENS_EMISSION)) return []
  const inventory = await readCurrentInventory(db, actor)
  if (inventory === null || (inventory.status !== 'collecting' && inventory.status !== 'in_review')) return []
  const open = await readOpenItems(db, actor, inventory)
  return TILES.flatMap(({ of, nouns, ...tile }): Decision[] => {
    const { groups, url } = open[of]
    const count = groups.reduce((sum, group) => sum + group.count, 0)
    if (count === 0 || url === null || (of === 'submitted' && !actor.may(REVIEWS))) return []
    const named = groups.slice(0, MOST_GROUPS).map(({ label, count: rows }) => ({ label, count: rows }))
    return [{ ...tile, count, noun: count === 1 ? nouns[0] : nouns[1], groups: named, url }]
  })
}

/** The emissions of the current inventory to date, and its data points by facility and month. */
export const readCarbonFigures: Handlers<typeof dashboard>['carbon'] = async ({ db, actor }) => {
  const inventory = await readCurrentInventory(db, actor)
  if (inventory === null) return null
  const { total, scopes, gaps, pending } = await readTotals(db, inventory.id)
  const line = (ref: LedgerTotal, lines: readonly TotalLine[]): EmissionLine => ({
    kg: lines.length === 0 ? null : plain(lines.reduce((sum, one) => sum.plus(one.market), new Figure(0))),
    missing: lines.reduce((sum, one) => sum + one.missing, 0),
    url: actor.may(OPENS_INSIGHTS) ? lineUrl(inventory.id, ref) : null,
  })
  const inScope = (key: string, isWanted: (key: string) => boolean) =>
    line(
      { by: 'scope', key },
      scopes.filter((one) => isWanted(one.key)),
    )
  return {
    inventory,
    total,
    scopes,
    gaps,
    pending,
    points: await readDuePoints(db, inventory.id, inventory.dueBefore),
    lines: {
      all: line({ by: 'all', key: '' }, [total]),
      scope1: inScope('1', (key) => key === '1'),
      scope2: inScope('2', (key) => key === '2'),
      scope3: inScope('3', (key) => key.startsWith('3.')),
    },
  }
}

const lineUrl = (inventory: string, line: LedgerTotal): string =>
  `/carbon/insights?${new URLSearchParams({ inventory, line: lineText(line), method: 'market' })}`
