import { Readable } from 'node:stream'
import { amountInCents } from '#contract/entries/parse-amount.ts'
import type { LocaleFormat } from '#contract/entries/locale-format.ts'
import { ANY_SHAPE } from '#contract/inventory/feeds/formats/feed-shape.ts'
import { textOf } from '#contract/inventory/feeds/mappings/source-row.ts'
import { FiledRule, MAX_FILE_RULES } from '#contract/inventory/pricing/rules/rule-files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { FeedRefusal } from '../../feeds/formats/feed-refusal.ts'
import { openFeed, type OpenFeed } from '../../feeds/formats/open-feed.ts'

/** A rule that an import wants, and where the file has it: "Rule 3". */
export type WantedRule = Readonly<{ place: string; rule: FiledRule }>

/** What the names of a table's rules start with. */
export const tableStart = (table: string): string => `${table}: `

/** The columns with the names that manufacturers use. */
const COLUMNS = {
  year: ['year', 'model year', 'my'],
  make: ['make', 'brand'],
  model: ['model'],
  trim: ['trim', 'grade', 'trim level'],
  price: ['lowest price', 'map', 'map price', 'minimum advertised price', 'minimum price'],
}
const ENGLISH: LocaleFormat = { decimal: '.', order: 'mdy', locale: 'en' }

type Table = { text: string; table: string; isNewOnly: boolean }

/**
 * Reads a table of lowest prices from CSV: one rule a line, named by the table and its vehicle.
 * @throws Failure 400 if the text isn't such a table
 */
export async function readLowestPrices(
  db: Database,
  customerId: string,
  { text, table, isNewOnly }: Table,
): Promise<{ wanted: WantedRule[]; problems: string[] }> {
  const { currency } = await db
    .selectFrom('customers')
    .select('currency')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const feed = await open(text)
  const column = (name: keyof typeof COLUMNS) =>
    feed.columns.find((one) => COLUMNS[name].includes(one.trim().toLowerCase()))
  const [year, make, model, trim, price] = [
    column('year'),
    column('make'),
    column('model'),
    column('trim'),
    column('price'),
  ]
  if (make === undefined || model === undefined || price === undefined)
    throw refuse('The file must have the columns Make, Model and Lowest price.')
  const wanted: WantedRule[] = []
  const problems: string[] = []
  for await (const row of feed.rows) {
    const cell = (name: string | undefined) => (name === undefined ? '' : textOf(row, name).trim())
    const vehicle = { year: cell(year), make: cell(make), model: cell(model), trim: cell(trim) }
    const cents = amountInCents(cell(price), ENGLISH, currency)
    const problem = problemOf(vehicle, cents)
    if (problem !== null) {
      problems.push(`Line ${row.line}: ${problem}`)
      continue
    }
    const title = [vehicle.year, vehicle.make, vehicle.model, vehicle.trim]
      .filter((part) => part !== '')
      .join(' ')
    const read = FiledRule.safeParse({
      name: `${tableStart(table)}${title}`,
      kind: 'floor',
      cents,
      condition: conditionOf(vehicle, isNewOnly),
    })
    if (read.success) wanted.push({ place: `Line ${row.line}`, rule: read.data })
    else problems.push(`Line ${row.line}: ${read.error.issues[0]?.message ?? 'The line is invalid.'}`)
    if (wanted.length > MAX_FILE_RULES) throw refuse(`A table can have at most ${MAX_FILE_RULES} lines.`)
  }
  if (wanted.length === 0 && problems.length === 0) throw refuse('The file has no lines.')
  return { wanted, problems }
}

type Vehicle = { year: string; make: string; model: string; trim: string }

function problemOf({ year, make, model }: Vehicle, cents: number): string | null {
  if (make === '' || model === '') return 'make and model are required.'
  if (year !== '' && !/^(19|20)\d\d$/.test(year)) return `"${year}" is not a model year.`
  if (!(cents > 0)) return 'the lowest price must be an amount above 0.'
  return null
}

function conditionOf({ year, make, model, trim }: Vehicle, isNewOnly: boolean): string {
  const parts = [
    isNewOnly && 'condition == "new"',
    year !== '' && `year == ${year}`,
    `make == ${JSON.stringify(make)}`,
    `model == ${JSON.stringify(model)}`,
    trim !== '' && `trim == ${JSON.stringify(trim)}`,
  ]
  return parts.filter((part) => part !== false).join(' && ')
}

async function open(text: string): Promise<OpenFeed> {
  try {
    return await openFeed(Readable.from([Buffer.from(text)]), { ...ANY_SHAPE, format: 'csv' })
  } catch (error) {
    if (error instanceof FeedRefusal) throw refuse(error.message)
    throw error
  }
}

const refuse = (sentence: string) => refused('Nothing was imported.', { text: sentence })
