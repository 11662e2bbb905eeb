import { openAsBlob } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { call, type Session } from '#test/prove/calling.ts'
import { asOwner } from './generate.ts'
import type { Product } from './product.ts'
import { signIn } from './sign-in.ts'

/** A running product, its home folder, and the demo dealer who imports. */
export type Importer = { home: string; session: Session & { product: Product } }

/** The cost of importing one file: the duration of its two jobs and the peak memory of the server during each. */
export type ImportTimes = { run: FeedRun; readMs: number; applyMs: number; readMb: number; applyMb: number }

export async function importerOf(product: Product, home: string): Promise<Importer> {
  return { home, session: { product, token: await signIn(product.address) } }
}

/** Adds an empty lot for imports. @returns its ID */
export async function addLot({ session }: Importer, code: string): Promise<string> {
  const { id } = await call(session, lots.add, { name: `Imports ${code}`, code, type: 'used' })
  return id
}

/** Uploads a file to a lot, waits until it is read, and applies it. */
export async function importFeed(
  { home, session }: Importer,
  { lotId, path }: { lotId: string; path: string },
): Promise<ImportTimes> {
  const { product, token } = session
  const body = new FormData()
  body.set('lotId', lotId)
  body.set('files', await openAsBlob(path), 'feed.csv')
  let mostMb = 0
  const watch = setInterval(() => void product.rssMb().then((mb) => (mostMb = Math.max(mostMb, mb))), 50)
  try {
    const sent = await fetch(`${product.address}${feedRuns.add.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
    const answer = z
      .object({ data: FeedRun.nullable(), message: z.string().nullable() })
      .parse(await sent.json())
    if (answer.data === null) throw new Error(answer.message ?? 'Refused.')
    const { id } = answer.data
    const run = await until(session, id, ['ready', 'review'])
    const read = { run, readMs: await workOf(home, run), readMb: mostMb }
    if (run.new + run.changed + run.missing === 0) return { ...read, applyMs: 0, applyMb: 0 }
    mostMb = 0
    await call(session, feedRuns.apply, { id, confirm: true })
    const applied = await until(session, id, ['applied'])
    return { ...read, run: applied, applyMs: await workOf(home, applied), applyMb: mostMb }
  } finally {
    clearInterval(watch)
  }
}

/** Polls until the run has one of the statuses. Signs in again when the session expires. */
async function until(
  session: Importer['session'],
  id: string,
  statuses: readonly string[],
): Promise<FeedRun> {
  for (;;) {
    const run = await call(session, feedRuns.get, { id }).catch(async () => {
      session.token = await signIn(session.product.address)
      return call(session, feedRuns.get, { id })
    })
    if (statuses.includes(run.status)) return run
    if (run.error !== null) throw new Error(run.error)
    await wait(100)
  }
}

/** The duration of a run's job. */
async function workOf(home: string, { jobId }: FeedRun): Promise<number> {
  return asOwner(home, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ ms: number | null }>(
        `select extract(epoch from ended_at - started_at)::float8 * 1000 as ms from jobs where id = $1`,
        [jobId],
      )
      const ms = rows[0]?.ms ?? null
      if (ms !== null) return ms
      await wait(20)
    }
  })
}
