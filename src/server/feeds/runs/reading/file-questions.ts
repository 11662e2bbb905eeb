import { sql } from 'kysely'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { type FeedMapping, FeedTarget, targetTitle } from '#contract/feeds/mappings/mapping.ts'
import {
  columnsText,
  hasTotalPrices,
  dateKey,
  kindOfAnswer,
  priceKey,
  STATUS_COLUMN_KEY,
  statusKey,
  totalKey,
} from '#contract/feeds/mappings/with-answers.ts'
import type { ProvedOrder } from '#contract/feeds/mappings/with-date-forms.ts'
import {
  FEED_ANSWERS,
  FeedAnswers,
  FeedQuestion,
  VEHICLE_KEYS,
} from '#contract/feeds/mappings/feed-questions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import type { AskedVehicles, ImportStats, Named } from './import-stats.ts'
import { isPositional } from './positional.ts'

/** A column with more unknown words than this hardly has the status of a vehicle. */
const MAX_WORDS = 20

/**
 * What only a person knows about a file that was read with this mapping.
 * @param isProposed the mapping was matched by names and values: nobody has decided which price it has.
 */
export function questionsOf(
  importStats: Pick<ImportStats, 'asked' | 'filled' | 'found'>,
  { fields }: FeedMapping,
  {
    answers,
    isProposed,
    totals,
  }: {
    answers: FeedAnswers
    isProposed: boolean
    /** Vehicles whose price in the file is the one that buyers see, and the first of them; null if there are too few. */
    totals: Named | null
  },
): FeedQuestion[] {
  const asked = importStats.asked()
  const words = asked.filter(({ target }) => target === 'status')
  const statusColumn = fields.status === undefined ? '' : columnsText(fields.status)
  const dates = asked.flatMap(({ target, value, rows }): FeedQuestion[] => {
    const field = fields[target]
    if (target === 'status' || field === undefined) return []
    const column = columnsText(field)
    return [{ key: dateKey(target, column), kind: 'date', column, value, rows }]
  })
  return [
    ...(words.length > MAX_WORDS
      ? [
          {
            key: STATUS_COLUMN_KEY,
            kind: 'statusColumn' as const,
            column: statusColumn,
            value: words
              .slice(0, 3)
              .map(({ value }) => value)
              .join(', '),
            rows: words.reduce((sum, { rows }) => sum + rows, 0),
          },
        ]
      : words.map(({ value, rows }) => ({
          key: statusKey(value),
          kind: 'status' as const,
          column: statusColumn,
          value,
          rows,
        }))),
    ...dates,
    ...(isProposed ? priceQuestion(importStats, fields, answers) : []),
    ...totalQuestion(fields, answers, totals),
    ...VEHICLE_KEYS.flatMap((kind): FeedQuestion[] => {
      const found = importStats.found(kind)
      return found === null || kind in answers ? [] : [{ key: kind, kind, column: '', ...found }]
    }),
  ]
}

function totalQuestion(
  { price }: FeedMapping['fields'],
  answers: FeedAnswers,
  totals: Named | null,
): FeedQuestion[] {
  if (price === undefined || totals === null) return []
  const column = columnsText(price)
  const key = totalKey(column)
  return key in answers ? [] : [{ key, kind: 'total', column, ...totals }]
}

/** Whether the amounts of the only column with prices are those that vehicles are sold for. */
function priceQuestion(
  importStats: Pick<ImportStats, 'filled'>,
  { msrp, price }: FeedMapping['fields'],
  answers: FeedAnswers,
): FeedQuestion[] {
  const rows = importStats.filled()['msrp'] ?? 0
  if (msrp === undefined || price !== undefined || rows === 0) return []
  const column = columnsText(msrp)
  const key = priceKey(column)
  return key in answers ? [] : [{ key, kind: 'price', column, value: '', rows }]
}

/** Why a run waits, one sentence for each kind of question. */
export function questionReasons(questions: readonly FeedQuestion[]): string[] {
  const words = questions.filter(({ kind }) => kind === 'status').map(({ value }) => `\u201c${value}\u201d`)
  const reasons = words.length === 0 ? [] : [`Unknown words in the status column: ${words.join(', ')}.`]
  for (const { kind, column, value } of questions) {
    if (kind === 'statusColumn') reasons.push(`The column ${column} has many unknown words for a status.`)
    if (kind === 'date') reasons.push(`Dates in ${column} may be two days, such as ${value}.`)
    if (kind === 'price') reasons.push(`The only price column is ${column}.`)
    if (kind === 'total')
      reasons.push(
        `The column ${column} has the total prices of your vehicles, with price rules and fees: ${value}.`,
      )
    if (kind === 'otherLot') reasons.push(`Vehicles of the file are in stock on another lot: ${value}.`)
    if (kind === 'otherStock')
      reasons.push(`Stock numbers of the file belong to vehicles on another lot: ${value}.`)
    if (kind === 'sameStock')
      reasons.push(`Stock numbers of the file are in stock with another year, make or VIN: ${value}.`)
    if (kind === 'takenStock')
      reasons.push(`Stock numbers of the file are those of other vehicles in stock: ${value}.`)
    if (kind === 'newStock')
      reasons.push(`Stock numbers of the file aren't known, and nothing else names a vehicle: ${value}.`)
    if (kind === 'keptStatus')
      reasons.push(`The file has another status for vehicles than they have here: ${value}.`)
    if (kind === 'feedLot') reasons.push(`The feed has vehicles on another lot: ${value}.`)
    if (kind === 'comeBack')
      reasons.push(`Removed vehicles are in the file, which doesn't say whether they are for sale: ${value}.`)
  }
  return reasons
}

/** What is not read because a person said that the prices are total prices. */
export const totalNotes = (mapping: FeedMapping, answers: FeedAnswers): string[] => {
  const { price } = mapping.fields
  return price !== undefined && hasTotalPrices(mapping, answers)
    ? [`${columnsText(price)} has total prices, with price rules and fees. No price is read from it.`]
    : []
}

/** What a person said about vehicles that a file may be about. */
export type VehicleAnswers = Readonly<Partial<Record<AskedVehicles, string>>>
export const vehicleAnswers = (answers: FeedAnswers): VehicleAnswers =>
  Object.fromEntries(VEHICLE_KEYS.flatMap((key) => (key in answers ? [[key, answers[key]]] : [])))

/** Whether an answer is about vehicles of a file. */
export const isAboutVehicles = (key: string): boolean => VEHICLE_KEYS.some((own) => own === key)

const ORDERS = { us: 'month/day/year', eu: 'day/month/year' } as const

/** How dates were read, and which date shows it. */
export const orderNotes = (
  orders: readonly ProvedOrder[],
  { fields }: FeedMapping,
  own: readonly CustomField[],
): string[] =>
  orders.flatMap(({ target, order, proof }) => {
    const found = Object.entries(fields).find(([name]) => name === target)?.[1]
    if (found === undefined) return []
    const title = titleOf(target, own)
    return [`${title}: dates in ${columnsText(found)} are ${ORDERS[order]}. ${proof} shows it.`]
  })

function titleOf(target: string, own: readonly CustomField[]): string {
  const read = FeedTarget.safeParse(target)
  return read.success ? targetTitle(read.data, own) : target
}

/** How many of the latest runs without a source are searched for answers about a file with the same columns. */
const MAX_RUNS = 500

/**
 * What people answered about a run and, before, about files of its source; without a source, what the columns of files with the same
 * ones mean. What they said about vehicles is about those of that file; only that a source leaves them alone is remembered. An answer
 * counts whether or not its file was applied.
 */
export async function answersFor(
  db: Database,
  { runId, sourceId, columns }: { runId: string; sourceId: string | null; columns: readonly string[] },
): Promise<FeedAnswers> {
  const from =
    sourceId === null
      ? sql`(select * from feed_runs order by created_at desc, id desc limit ${sql.lit(MAX_RUNS)}) r
          where r.source_id is null and r.columns = ${[...columns]}::text[] and ${!isPositional(columns)}`
      : sql`feed_runs r where r.source_id = ${sourceId}`
  const { rows } = await sql<{ own: unknown; before: unknown }>`
    select o.answers as own, (select r.answers from ${from} and r.answers <> '{}' and r.id <> o.id
      order by r.id desc limit 1) as before
    from feed_runs o where o.id = ${runId}`.execute(db)
  const [row] = rows
  const before = Object.entries(FeedAnswers.parse(row?.before ?? {})).filter(
    ([key, answer]) => !isAboutVehicles(key) || (sourceId !== null && answer === 'leave'),
  )
  return { ...Object.fromEntries(before), ...FeedAnswers.parse(row?.own ?? {}) }
}

/**
 * Stores answers to questions of a run, or other answers than before. The file has to be read again for them.
 * @throws Failure 404; 409 if the run asks nothing of this kind (anymore); 400 for an answer that isn't offered.
 */
export async function answerQuestions(db: Database, id: string, answers: FeedAnswers): Promise<void> {
  const run = await db
    .selectFrom('feedRuns')
    .select(['status', 'questions', 'answers'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  if (run.status !== 'ready' && run.status !== 'review') throw conflict('This feed can no longer be changed.')
  const questions = FeedQuestion.array().parse(run.questions)
  const given = Object.entries(answers)
  const former = FeedAnswers.parse(run.answers)
  const open = given.filter(([key]) => key in former || questions.some((one) => one.key === key))
  if (open.length === 0 || open.length < given.length)
    throw conflict('This feed no longer asks this. Its questions were answered or its file was read again.')
  for (const [key, answer] of given) {
    const kind = kindOfAnswer(key)
    const offered: readonly string[] = kind === null ? [] : FEED_ANSWERS[kind]
    if (!offered.includes(answer))
      throw refused('Choose one of the answers.', {
        [`answers.${key}`]: `Choose one of ${offered.join(', ')}.`,
      })
  }
  await db
    .updateTable('feedRuns')
    .set({ answers: sql`answers || ${JSON.stringify(answers)}::jsonb` })
    .where('id', '=', id)
    .execute()
}
