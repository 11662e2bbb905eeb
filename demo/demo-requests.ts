import { sendRequests } from '#server/carbon/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Identity } from '#server/identity/index.ts'

const DAY_MS = 86_400_000
type Setting = { customerId: string; organizationId: string; byName: string; now: Date }

/**
 * Sends two data requests for the current inventory: one four days ago, answered by the demo bills, and one now, still
 * open. Does nothing if no data owner is assigned.
 */
export async function addDemoRequests(
  identity: Identity,
  db: Database,
  { customerId, organizationId, byName, now }: Setting,
): Promise<void> {
  const sources = await db
    .selectFrom('emissionSources as s')
    .innerJoin('carbonInventories as i', 'i.id', 's.inventoryId')
    .select(['s.id', 's.inventoryId'])
    .where('i.organizationId', '=', organizationId)
    .where('i.status', '=', 'collecting')
    .where('s.dataOwnerId', 'is not', null)
    .where('s.closed', '=', false)
    .orderBy('s.id')
    .limit(5)
    .execute()
  const [first] = sources
  if (first === undefined) return
  // Uses the transaction that creates the demo data, because nothing is committed yet.
  const within = <T>(work: (inner: Database) => Promise<T>): Promise<T> => work(db)
  const ask = (
    ids: readonly string[],
    { at, message, idempotencyKey }: { at: Date; message: string; idempotencyKey: string },
  ) =>
    sendRequests({ ...identity, iam: db }, within, {
      customerId,
      inventoryId: first.inventoryId,
      idempotencyKey: idempotencyKey.repeat(32),
      kind: 'request',
      cells: ids.map((sourceId) => ({ sourceId, isAgain: false })),
      message,
      isRepeated: true,
      byName,
      at,
    })
  const ids = sources.map(({ id }) => id)
  await ask(ids.slice(0, 2), {
    at: new Date(now.getTime() - 4 * DAY_MS),
    message: 'We close the quarter this week.',
    idempotencyKey: 'a',
  })
  if (ids.length > 2) {
    await ask(ids.slice(2), { at: now, message: 'The bills are with the accountant.', idempotencyKey: 'b' })
  }
}
