import type { Database } from '#server/database/tenant-transaction.ts'
import { hasNumber, type LineBill, mayBeOfMeter, type StoredBill } from './bill-identity.ts'
import { type ImportContext, placeNameOf } from './import-context.ts'
import { LEAST, SHARE } from './shifted-lists.ts'
import { readOfDays } from './stored-bills.ts'

/** A record of another source, with what that is called. */
export type Elsewhere = Readonly<{ record: StoredBill; name: string }>

/**
 * New lines whose bill is stored for another source, such as the wrong facility: with its number or meter, days and use; or, of lists
 * without numbers, most lines of a source, of which not all have the same use.
 */
export async function findElsewhere(
  db: Database,
  lines: readonly LineBill[],
  { sources, facilities, units }: ImportContext,
): Promise<ReadonlyMap<LineBill, Elsewhere>> {
  const bills = lines.filter(({ isCredit, hours }) => !isCredit && hours === null)
  const stored = await readOfDays(db, bills, { sourceIds: sources.map(({ id }) => id), units })
  const keyOf = ({ first, last, use }: LineBill | StoredBill) => `${first} ${last} ${use}`
  const byKey = Map.groupBy(
    stored.filter(({ isCredit }) => !isCredit),
    keyOf,
  )
  const nameOf = (id: string): string => {
    const source = sources.find((one) => one.id === id)
    return source === undefined ? '' : placeNameOf(source, { facilities })
  }
  const found = new Map<LineBill, Elsewhere>()
  const put = (line: LineBill, record: StoredBill) =>
    found.set(line, { record, name: nameOf(record.sourceId) })
  for (const own of Map.groupBy(bills, ({ sourceId }) => sourceId).values()) {
    const unnumbered = new Map<LineBill, StoredBill>()
    for (const line of own) {
      const others = (byKey.get(keyOf(line)) ?? []).filter(
        (one) => one.sourceId !== line.sourceId && mayBeOfMeter(one, line),
      )
      const same = others.find(
        (one) =>
          hasNumber(one, line) || (one.meter !== null && line.meter !== null && one.number === line.number),
      )
      if (same !== undefined) put(line, same)
      const free = line.number === '' ? others.find(({ number }) => number === '') : undefined
      if (free !== undefined) unnumbered.set(line, free)
    }
    const uses = new Set([...unnumbered.keys()].map(({ use }) => use))
    if (uses.size < LEAST || unnumbered.size < own.length * SHARE) continue
    for (const [line, record] of unnumbered) put(line, record)
  }
  return found
}
