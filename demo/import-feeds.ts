import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { newUrlToken } from '#server/http/url-token.ts'
import { applyRun, organizationOf, readRun, type RunWork } from '#server/feeds/index.ts'
import type { DemoStock } from './demo-vehicle.ts'
import { LAST_NIGHT, nightsBefore, type DemoFeed } from './feeds/demo-feed.ts'
import { firstNight, linesOf, type Fed } from './feeds/feed-lines.ts'
import { writeFeed } from './feeds/write-feed.ts'
import { makeVehicles } from './make-vehicles.ts'
import { backdateRun, backdateVehicles, backdateEdits } from './backdate.ts'
import { editVehicles, type ByHand } from './edit-vehicles.ts'

type Owner = {
  customerId: string
  organizationId: string
  /** Of its organization. */
  timeZone: string
  userId: string
  name: string
}
type Stocked = Fed & { lotId: string }
/** A feed with its source and the vehicles of its lots. */
type Running = { feed: DemoFeed; sourceId: string; stock: readonly Stocked[]; nights: readonly Date[] }

const MINUTE = 60_000

/**
 * Fills the lots of a customer through the import: three nights of provider files, and after each night the users edit
 * the new vehicles.
 */
export async function importFeeds(
  db: Database,
  owner: Owner,
  { feeds, lots, now }: { feeds: readonly DemoFeed[]; lots: readonly DemoStock[]; now: Date },
): Promise<void> {
  if (feeds.length === 0) return
  const running: Running[] = []
  for (const [at, feed] of feeds.entries()) {
    const own = feed.lots.map((code) => {
      const lot = lots.find((one) => one.code === code)
      if (lot === undefined) throw new Error(`Lot ${code} does not exist.`)
      return lot
    })
    const stock = own.flatMap((lot) =>
      makeVehicles(lot, now).map((vehicle) => ({ vehicle, dealer: lot.dealerId, lotId: lot.id })),
    )
    const sourceId = await addSource(db, owner, { feed, lotIds: own.map(({ id }) => id) })
    running.push({ feed, sourceId, stock, nights: nightsBefore(now, at * 7) })
  }
  for (let night = 0; night <= LAST_NIGHT; night += 1) {
    for (const one of running) await importNight(db, owner, one, { night, now })
    await byHand(db, owner, running, night)
  }
  await backdateVehicles(db, owner.customerId)
}

/** User edits between one night and the next. */
async function byHand(
  db: Database,
  { customerId, name }: Owner,
  running: readonly Running[],
  night: number,
): Promise<void> {
  const work = running.flatMap(({ stock, nights }) =>
    stock.flatMap(({ vehicle, lotId }): ByHand[] => {
      const since = nights[firstNight(vehicle, nights)]
      if (since === undefined) return []
      // Edits happen only between arrival and removal of a vehicle.
      const first = since.getTime() + 5 * MINUTE
      const at = new Date(
        vehicle.status === 'removed' ? first : Math.max(Date.parse(vehicle.updatedAt), first),
      )
      return nights.findLastIndex((one) => one < at) === night ? [{ lotId, vehicle, at }] : []
    }),
  )
  await editVehicles(db, { customerId, person: name }, work)
  const when = work.map(({ lotId, vehicle: { stock }, at }) => ({ lotId, stock, at: at.toISOString() }))
  await backdateEdits(db, customerId, when)
}

async function addSource(
  db: Database,
  { customerId, organizationId, userId }: Owner,
  { feed, lotIds }: { feed: DemoFeed; lotIds: readonly string[] },
): Promise<string> {
  const { name, kind, senders = [] } = feed
  const mapping = await mappingOf(db, customerId, feed)
  const { id } = await db
    .insertInto('feedSources')
    .values({
      name,
      kind,
      mappingId: mapping.id,
      lotIds: [...lotIds],
      senders: [...senders],
      applies: 'automatic',
      organizationId: await organizationOf(db, lotIds),
      actingOrganizationId: organizationId,
      reach: 'customer',
      userCustomerId: customerId,
      userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('feedSources')
    .set({ tokenHash: newUrlToken({ customerId, id }).hash })
    .where('id', '=', id)
    .execute()
  await db.insertInto('feedSourceStates').values({ sourceId: id }).execute()
  return id
}

function mappingOf(db: Database, customerId: string, { mapping }: DemoFeed) {
  return db
    .selectFrom('providerMappings')
    .select(['id', 'name'])
    .where('customerId', '=', customerId)
    .where('name', '=', mapping)
    .executeTakeFirstOrThrow()
}

/** Receives, reads and applies one file, like the jobs of the product. */
async function importNight(
  db: Database,
  { customerId, organizationId, timeZone, name }: Owner,
  { feed, sourceId, stock, nights }: Running,
  { night, now }: { night: number; now: Date },
): Promise<void> {
  const at = nights[night] ?? now
  const fileName = feed.fileName.replace('{day}', at.toISOString().slice(0, 10))
  const bytes = writeFeed(feed.shape, linesOf(feed, stock, { night, nights, now }))
  const run = await db
    .insertInto('feedRuns')
    .values({
      organizationId: await organizationOf(
        db,
        stock.map(({ lotId }) => lotId),
      ),
      sourceId,
      fileName,
      storedAs: fileName,
      bytes: String(bytes.length),
      fileHash: createHash('sha256').update(bytes).digest('hex'),
      isAutomatic: true,
      autoApply: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const work = workOf(db, { customerId, organizationId, timeZone, fullName: name })
  const file = {
    read: async () => ({ type: 'text/plain', body: Readable.from([bytes]) }),
    remove: async () => {},
  }
  await readRun(file, work, run.id)
  const read = await db
    .updateTable('feedRuns')
    .set({ status: 'applying', appliedBy: feed.name })
    .where('id', '=', run.id)
    .where('status', '=', 'ready')
    .returning('id')
    .executeTakeFirst()
  if (read === undefined) throw new Error(`${fileName} of the demo world cannot be applied.`)
  // Jobs write the vehicle history but no audit log entry per vehicle.
  await sql`alter table vehicles disable trigger audit`.execute(db)
  await applyRun(work, run.id)
  await sql`alter table vehicles enable trigger audit`.execute(db)
  await backdateRun(db, { customerId, runId: run.id, moment: at })
  const came = at.toISOString()
  await db
    .insertInto('feedDeliveries')
    .values({ sourceId, state: 'received', startedAt: came, endedAt: came, fileName, runId: run.id })
    .execute()
  await db.updateTable('feedSources').set({ lastRunAt: came }).where('id', '=', sourceId).execute()
}

/** The work context of a run: each step in a savepoint, without progress reports. */
function workOf(
  db: Database,
  who: Pick<RunWork['actor'], 'customerId' | 'organizationId' | 'timeZone' | 'fullName'>,
): RunWork {
  return {
    // The administrator owns the sources.
    actor: { ...who, reach: 'customer', may: () => true },
    async step(work) {
      await sql`savepoint step`.execute(db)
      try {
        const result = await work(db)
        await sql`release savepoint step`.execute(db)
        return result
      } catch (error) {
        await sql`rollback to savepoint step`.execute(db)
        throw error
      }
    },
    tell: async () => {},
  }
}
