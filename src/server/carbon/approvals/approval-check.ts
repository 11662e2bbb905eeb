import { sql } from 'kysely'
import type { ApprovalCheck, ApprovalGap } from '#contract/carbon/inventories/approval.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { tenantToday } from '#server/database/tenant-today.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { countPending } from '../calculation/recalculate.ts'
import { readFigures } from '../inventories/coverage.ts'
import { readUnusual } from '../review/unusual.ts'
import { readInventory } from '../inventories/inventory-rows.ts'

/** The total of an inventory and what is missing from it, as an approver has to know it. @throws Failure 404 */
export async function readApprovalFacts(
  db: Database,
  inventoryId: string,
): Promise<Omit<ApprovalCheck, 'refusal'>> {
  const figures = (await readFigures(db, [inventoryId])).get(inventoryId)
  if (figures === undefined) throw notFound('Inventory')
  const { location, market } = figures
  return {
    location,
    market,
    pending: await countPending(db, inventoryId),
    gaps: await findGaps(db, inventoryId, figures),
  }
}

type Counts = {
  total: number
  approved: number
  withoutResult: number
  withoutFigures: number[]
  isOver: boolean
}

async function findGaps(
  db: Database,
  inventoryId: string,
  { expected, there }: { expected: number; there: number },
): Promise<ApprovalGap[]> {
  const { periodEnd, undecided, scope3 } = await readInventory(db, inventoryId)
  const counts = await readCounts(db, inventoryId)
  const { total, approved, withoutResult, withoutFigures, isOver } = counts
  const { count: flagged } = await readUnusual(db, inventoryId)
  const notAssessed = scope3.filter(({ relevance }) => relevance === 'not_assessed').length
  const found: [ApprovalGap['kind'], number, string][] = [
    [
      'no_result',
      withoutResult,
      `${some(withoutResult, 'record has', 'records have')} no result, so the total is a minimum.`,
    ],
    [
      'unreviewed',
      total - approved,
      `${total - approved} of ${some(total, 'record', 'records')} not approved.`,
    ],
    ['flagged', flagged, `${some(flagged, 'record is', 'records are')} flagged for review.`],
    [
      'facilities',
      undecided,
      `${some(undecided, 'facility is', 'facilities are')} neither included nor excluded.`,
    ],
    [
      'scope3',
      notAssessed,
      `${some(notAssessed, 'scope 3 category is', 'scope 3 categories are')} not assessed.`,
    ],
    [
      'scope3',
      withoutFigures.length,
      `${some(withoutFigures.length, 'relevant scope 3 category has', 'relevant scope 3 categories have')} no figures: ${withoutFigures.join(', ')}.`,
    ],
  ]
  return [
    ...(isOver ? [] : [{ kind: 'period' as const, sentence: `The period ends on ${writeDay(periodEnd)}.` }]),
    ...coverageGaps(expected, there),
    ...found.filter(([, number]) => number > 0).map(([kind, , sentence]) => ({ kind, sentence })),
  ]
}

function coverageGaps(expected: number, there: number): ApprovalGap[] {
  if (expected === 0)
    return [{ kind: 'coverage', sentence: 'No data points are expected, because no sources are assigned.' }]
  if (there === expected) return []
  return [{ kind: 'coverage', sentence: `${there} of ${expected} expected data points are covered.` }]
}

const some = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

async function readCounts(db: Database, inventoryId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(r.id)::int as total, count(r.id) filter (where r.status = 'approved')::int as approved,
      (select count(distinct x.record_id)::int from calculation_results x
        where x.inventory_id = ${inventoryId} and x.part = 'main' and x.kg is null) as without_result,
      array(select c.category from inventory_scope3 c where c.inventory_id = ${inventoryId} and c.relevance = 'relevant'
        and not exists (select from calculation_totals t where t.inventory_id = c.inventory_id and t.scope = '3.' || c.category)
        and not exists (select from imported_totals m join emission_sources w on w.customer_id = m.customer_id and w.id = m.source_id
          where m.inventory_id = c.inventory_id and m.removed_at is null and w.scope = '3.' || c.category)
        order by c.category) as without_figures,
      (select i.period_end < ${tenantToday} from carbon_inventories i where i.id = ${inventoryId}) as is_over
    from emission_sources s join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id
      and r.replaced_at is null
    where s.inventory_id = ${inventoryId}`.execute(db)
  const [counts] = rows
  if (counts === undefined) throw new Error('A count returned no row.')
  return counts
}
