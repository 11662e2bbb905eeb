import { sql } from 'kysely'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import { plain } from '#contract/carbon/factors/figure.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import {
  type Bill,
  billOf,
  hasNumber,
  isInside,
  isOfDays,
  isOfMostDays,
  type LineBill,
  looseCredits,
  mayBeOfMeter,
  measureOf,
  shareDays,
  splitCredits,
  type StoredBill,
  takenBack,
} from './bill-identity.ts'
import { isNear, SOME_USE } from './apart-bills.ts'
import { leave, type ReadLine, usedIn } from './read-line.ts'
import type { FormerBill } from './stored-bills.ts'

/** What an import keeps of a bill that it left out. */
export type KeptBill = Readonly<{
  sourceId: string
  reference: string
  quantity: string
  unit: string
  first: string
  last: string
}>

/** A bill or credit that an earlier import left out, because an answer said that another one holds. */
export type LeftBill = Bill & KeptBill & Readonly<{ fileName: string }>

/** The bill in a line; null if it has none, or no day. */
export function keptBill({ record, source, ...read }: ReadLine): KeptBill | null {
  if (record === null || !record.periodStart || !record.periodEnd) return null
  return {
    sourceId: record.sourceId,
    reference: record.reference ?? '',
    quantity: plain(usedIn({ record, source, ...read })),
    unit: record.unit ?? source?.unit ?? '',
    first: record.periodStart,
    last: record.periodEnd,
  }
}

/** What earlier imports left out of the sources of lines, except those that were undone. */
export async function readLeft(
  db: Database,
  lines: readonly LineBill[],
  units: UnitTable,
): Promise<LeftBill[]> {
  const { rows } = await sql<{ sourceId: string; bill: Omit<KeptBill, 'sourceId'>; fileName: string }>`
    select l.left_source_id::text as source_id, l.left_bill as bill, i.file_name from activity_import_lines l
    join activity_imports i on i.customer_id = l.customer_id and i.id = l.import_id
    where l.left_source_id = any(${[...new Set(lines.map(({ sourceId }) => sourceId))]}::bigint[]) and i.undone_at is null
    order by l.import_id, l.line`.execute(db)
  return rows.map(({ sourceId, bill, fileName }) => {
    const kept = { sourceId, ...bill }
    return { ...kept, fileName, ...billOf(kept, units) }
  })
}

export const isSameBill = (one: Bill, line: LineBill): boolean =>
  one.sourceId === line.sourceId &&
  one.number === line.number &&
  one.use === line.use &&
  one.isCredit === line.isCredit &&
  isOfDays(one, line) &&
  mayBeOfMeter(one, line)

/**
 * What an answer left out before stays out, as long as a bill that may stand for it counts: lists that grow have it again and again.
 * @returns these lines
 */
export function leaveAgain(
  lines: readonly LineBill[],
  {
    same,
    left,
    stored,
    former,
  }: {
    same: ReadonlyMap<LineBill, StoredBill>
    left: readonly LeftBill[]
    stored: readonly StoredBill[]
    former: readonly FormerBill[]
  },
): ReadonlySet<ReadLine> {
  const again = new Map<ReadLine, LeftBill>()
  const [bills, before] = splitCredits(stored)
  const gone = takenBack(bills, before)
  const credits = lines.filter((one) => one.isCredit && !same.has(one))
  for (const line of lines) {
    if (same.has(line) || line.read.isLeft || line.read.isOpen) continue
    const own = left.find((one) => isSameBill(one, line))
    if (own === undefined) continue
    const isTakenBack = (one: StoredBill) =>
      credits.some((credit) => credit.use === one.use && one.use !== line.use && shareDays(credit, one))
    const holds = (one: StoredBill) => !gone.has(one) && standsFor(one, line) && !isTakenBack(one)
    const isDeleted = (one: FormerBill) => one.isDeletedByHand && isSameBill(one, line)
    if (line.isCredit || bills.some(holds) || former.some(isDeleted)) again.set(line.read, own)
  }
  // A credit that has lost its bill, such as by an undone import, takes back one of these lines.
  const ofLoose = takenBack(
    lines.filter(({ read, isCredit }) => !isCredit && again.has(read)),
    looseCredits(stored),
  )
  for (const { read } of ofLoose) again.delete(read)
  // A file with nothing else was sent again on purpose: it is asked about again.
  if (same.size === 0 && again.size === lines.length) return new Set()
  for (const [read, { fileName }] of again)
    leave(read, 'reference', `Left out, as it was from “${fileName}”.`)
  return new Set(again.keys())
}

/** Whether a bill that counts may stand for another one: of its meter, or of another company for the same days. */
export const standsFor = (one: Bill, line: Bill): boolean =>
  one.sourceId === line.sourceId &&
  (mayBeOfMeter(one, line) ||
    (isOfDays(one, line) && measureOf(one) === measureOf(line) && isNear(one, line, SOME_USE))) &&
  (one.use === line.use ||
    hasNumber(one, line) ||
    isOfMostDays(one, line) ||
    isInside(one, line) ||
    isInside(line, one))
