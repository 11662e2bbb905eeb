import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { ImportRequest } from '#contract/carbon/activity/activity-imports.ts'
import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
import { addImport, readImport } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { DemoBill } from './demo-bills.ts'

/** The source with fuel card statements, which arrive as a file. */
export const FUEL_CARD_SOURCE = 'company_cars'

type Statement = DemoBill & { placeCode: string; unit: string }

/**
 * Imports the latest fuel card statements like a user: the file is read, mapped as proposed, and imported. One line is for
 * an unknown site. The records are unchanged since, so the import can be undone.
 */
export async function importFuelCards(
  db: Database,
  inventoryId: string,
  statements: readonly Statement[],
): Promise<void> {
  const [first] = statements
  if (first === undefined) return
  const lineOf = ({ sourceType, periodStart, periodEnd, ...bill }: Statement) => [
    bill.placeCode,
    findSourceType(sourceType)?.title ?? sourceType,
    periodStart,
    periodEnd,
    bill.quantity,
    bill.unit,
    bill.reference ?? '',
    bill.comment ?? '',
  ]
  const bytes = stringify([
    ['Site', 'Source', 'From', 'To', 'Quantity', 'Unit', 'Invoice no.', 'Note'],
    ...statements.map((one) => lineOf(one)),
    lineOf({ ...first, placeCode: 'Roseville', reference: 'ROS-7714', comment: null }),
  ])
  const within = <T>(work: (inner: Database) => Promise<T>): Promise<T> => work(db)
  const send = (mapping: ImportRequest['mapping']) => {
    const asked: ImportRequest = {
      sheet: null,
      mapping,
      usual: { decimal: '.', order: 'ymd' },
      sourceId: null,
    }
    async function* files() {
      const name = `fuel-cards-${first?.periodEnd.slice(0, 7)}.csv`
      yield { name, type: 'text/csv', stream: Readable.from([Buffer.from(bytes)]) }
    }
    return {
      actor: { may: () => true, customerId: 'demo' },
      inTenant: within,
      input: { inventoryId, asked: JSON.stringify(asked) },
      files: files(),
    }
  }
  const { mapping: proposed, layout } = await readImport(send(null))
  // Pumps bill three decimals, so that "412.375" may be thousands to the importer, which asks.
  const mapping = { ...proposed, answers: { ...proposed.answers, decimal: '.', layout: layout.key } }
  const { saved, sentence } = await addImport(send(mapping))
  if (saved !== statements.length) throw new Error(`The fuel cards of the demo world: ${sentence}`)
}
