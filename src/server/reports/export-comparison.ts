import { capitalize } from '#contract/capitalize.ts'
import {
  type carbonComparison,
  type BridgeLine,
  type Comparison,
  EFFECTS,
} from '#contract/carbon/results/comparison.ts'
import { compareInventories } from '#server/carbon/index.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { type Cell, Exact } from './cells.ts'
import { csvOf } from './csv.ts'

/** A comparison of two inventories as CSV: rows for the total and for each scope, facility and source. */
export const comparisonExport: Pick<Handlers<typeof carbonComparison>, 'export'> = {
  async export({ inTenant, input }) {
    const comparison = await inTenant((db) => compareInventories(db, input))
    return new Download({
      name: 'comparison.csv',
      type: 'text/csv; charset=utf-8',
      body: csvOf(headOf(comparison), inOneBatch(rowsOf(comparison))),
    })
  },
}

async function* inOneBatch(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield await Promise.resolve(rows)
}

const headOf = ({ before, after, method }: Comparison): string[] => [
  'By',
  'Name',
  `${before.name}, kg CO2e, ${method}-based`,
  ...EFFECTS.map((effect) => `${capitalize(effect)}, kg CO2e`),
  `${after.name}, kg CO2e, ${method}-based`,
  'Unmatched before, kg CO2e',
  'Unmatched after, kg CO2e',
  'Imported before, kg CO2e',
  'Imported after, kg CO2e',
  'Missing results before',
  'Missing results after',
]

function rowsOf({ total, scopes, facilities, sources }: Comparison): Cell[][] {
  const of = (by: string, lines: readonly BridgeLine[]): Cell[][] =>
    lines.map((line) => [
      by,
      line.title,
      new Exact(line.before),
      ...EFFECTS.map((effect) => new Exact(line[effect])),
      new Exact(line.after),
      new Exact(line.unmatchedBefore),
      new Exact(line.unmatchedAfter),
      new Exact(line.importedBefore),
      new Exact(line.importedAfter),
      line.missingBefore,
      line.missingAfter,
    ])
  return [
    ...of('Total', [total]),
    ...of('Scope', scopes),
    ...of('Facility', facilities),
    ...of('Source', sources),
  ]
}
