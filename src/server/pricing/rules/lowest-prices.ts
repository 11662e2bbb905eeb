import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { dayAfter } from '#contract/days.ts'
import { lastDay } from '#contract/pricing/totals/last-day.ts'
import { amountInCents } from '#contract/parsing/parse-amount.ts'
import { dateOrderOf } from '#contract/parsing/date-order.ts'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import { ANY_SHAPE } from '#contract/feeds/mappings/feed-shape.ts'
import { type FeedRow, textOf } from '#contract/feeds/mappings/source-row.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import { FiledRule, MAX_FILE_RULES } from '#contract/pricing/rules/rule-files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { parseJson } from '#server/threads/parse-json.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { openFeed, type OpenFeed } from '#server/formats/open-feed.ts'

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
  from: ['from', 'start', 'start date', 'effective', 'effective date', 'valid from'],
  until: ['until', 'end', 'end date', 'expires', 'expiration date', 'valid until', 'valid to'],
}
const ENGLISH: LocaleFormat = { decimal: '.', order: 'mdy', locale: 'en' }

/** `lots`: the codes of those it applies to; empty: all. */
type Table = {
  text: string
  table: string
  isNewOnly: boolean
  dateOrder: 'mdy' | 'dmy' | undefined
  lots: readonly string[]
}

/**
 * Reads a table of minimum prices from CSV: one rule a line, named by the table and its vehicle, and by its first day if it has
 * one. The last day is part of the time, as manufacturers mean it.
 * @throws Failure 400 if the text isn't such a table
 */
export async function readLowestPrices(
  db: Database,
  customerId: string,
  { text, table, isNewOnly, dateOrder, lots }: Table,
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
  const [from, until] = [column('from'), column('until')]
  if (make === undefined || model === undefined || price === undefined)
    throw refuse('The file must have the columns Make, Model and Minimum price.')
  const wanted: WantedRule[] = []
  const problems: string[] = []
  const rows: FeedRow[] = []
  for await (const row of feed.rows) rows.push(row)
  const days = rows.flatMap((row) =>
    [from, until].flatMap((name) => (name === undefined ? [] : textOf(row, name))),
  )
  const format = { ...ENGLISH, order: orderOf(days, dateOrder) }
  for (const row of rows) {
    const cell = (name: string | undefined) => (name === undefined ? '' : textOf(row, name).trim())
    const vehicle = { year: cell(year), make: cell(make), model: cell(model), trim: cell(trim) }
    const cents = amountInCents(cell(price), ENGLISH, currency)
    const [first, last] = [dayOf(cell(from), format), dayOf(cell(until), format)]
    const problem = problemOf(vehicle, cents) ?? first.problem ?? last.problem
    if (problem !== null) {
      problems.push(`Line ${row.line}: ${problem}`)
      continue
    }
    const title = [vehicle.year, vehicle.make, vehicle.model, vehicle.trim]
      .filter((part) => part !== '')
      .join(' ')
    const read = FiledRule.safeParse({
      name: `${tableStart(table)}${title}${first.day === null ? '' : `, from ${first.day}`}`,
      kind: 'floor',
      cents,
      condition: conditionOf(vehicle, isNewOnly),
      // A line with dates replaces the standing one of the same vehicle for that time, also if it is lower.
      exclusiveGroup: `${tableStart(table)}${title}`,
      lots,
      fromMinute: first.day === null ? null : `${first.day}T00:00`,
      untilMinute: last.day === null ? null : `${dayAfter(last.day, 1)}T00:00`,
    })
    if (read.success) wanted.push({ place: `Line ${row.line}`, rule: read.data })
    else problems.push(`Line ${row.line}: ${read.error.issues[0]?.message ?? 'The line is invalid.'}`)
    if (wanted.length > MAX_FILE_RULES) throw refuse(`A table can have at most ${MAX_FILE_RULES} lines.`)
  }
  if (wanted.length === 0 && problems.length === 0) throw refuse('The file has no lines.')
  return { wanted, problems }
}

/** @throws Failure 400 if the dates may be day-first or month-first, and the user didn't say which */
function orderOf(days: readonly string[], given: 'mdy' | 'dmy' | undefined): 'mdy' | 'dmy' {
  const { order, ambiguous } = dateOrderOf(days)
  const known = order ?? given
  if (known !== undefined) return known
  if (ambiguous === null) return 'mdy'
  throw refused('Some fields are invalid.', {
    dateOrder: `“${ambiguous}” may be two days. Choose whether the month or the day is first.`,
  })
}

/** A date of a table; an empty cell is no date. */
function dayOf(text: string, format: LocaleFormat): { day: string | null; problem: string | null } {
  if (text === '') return { day: null, problem: null }
  const parsed = parseDate(text, format)
  return 'value' in parsed ? { day: parsed.value, problem: null } : { day: null, problem: parsed.refusal }
}

type Vehicle = { year: string; make: string; model: string; trim: string }

function problemOf({ year, make, model }: Vehicle, cents: number): string | null {
  if (make === '' || model === '') return 'make and model are required.'
  if (year !== '' && !/^(19|20)\d\d$/.test(year)) return `"${year}" is not a model year.`
  if (!(cents > 0)) return 'the minimum price must be an amount above 0.'
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

const TEXT = String.raw`("(?:[^"\\]|\\.)*")`
const CONDITION = new RegExp(
  `^(?:condition == "new" && )?(?:year == (\\d{4}) && )?make == ${TEXT} && model == ${TEXT}(?: && trim == ${TEXT})?$`,
)

/** The vehicle of a condition that a table made; null for another condition. */
function vehicleOf(condition: string): Vehicle | null {
  const [whole, year = '', make, model, trim] = CONDITION.exec(condition) ?? []
  const read = (text = '""'): string => {
    const parsed = parseJson(text)
    return parsed.kind === 'json' && typeof parsed.value === 'string' ? parsed.value : ''
  }
  return whole === undefined ? null : { year, make: read(make), model: read(model), trim: read(trim) }
}

/**
 * The active rules that tables of minimum prices made, as tables that can be imported again: each with its name and its CSV. A
 * rule whose condition or amount was changed to something that a table can't say is left out; the file of all rules has it.
 */
export function writeLowestPrices(
  rules: readonly PricingRule[],
): { table: string; lines: number; text: string }[] {
  const lines = rules.flatMap((rule) => {
    const { name, kind, isActive, cents, percent, steps, condition, fromMinute, untilMinute } = rule
    const [table = '', ...title] = name.split(': ')
    const vehicle = vehicleOf(condition)
    const isLine = kind === 'floor' && isActive && percent === null && steps.length === 0 && title.length > 0
    const areDays = [fromMinute, untilMinute].every((minute) => minute === null || minute.endsWith('T00:00'))
    if (!isLine || vehicle === null || !areDays) return []
    const until = untilMinute === null ? '' : lastDay(untilMinute)
    const { year, make, model, trim } = vehicle
    const cells = [year, make, model, trim, (cents / 100).toFixed(2), fromMinute?.slice(0, 10) ?? '', until]
    return [{ table, cells }]
  })
  return [...Map.groupBy(lines, ({ table }) => table)].map(([table, of]) => ({
    table,
    lines: of.length,
    text: stringify([TITLES, ...of.map(({ cells }) => cells)], { bom: true, escape_formulas: true }),
  }))
}

const TITLES = ['Year', 'Make', 'Model', 'Trim', 'Minimum price', 'From', 'Until']

async function open(text: string): Promise<OpenFeed> {
  try {
    return await openFeed(Readable.from([Buffer.from(text)]), { ...ANY_SHAPE, format: 'csv' })
  } catch (error) {
    if (error instanceof FeedRefusal) throw refuse(error.message)
    throw error
  }
}

const refuse = (sentence: string) => refused('Nothing was imported.', { text: sentence })
