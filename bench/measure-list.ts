import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import type { z } from 'zod'
import { Claims } from '#contract/identity/sessions/session.ts'
import { type ListCall, listTransaction } from './list-transaction.ts'
import { load, median } from './load.ts'
import { pgbench } from './pgbench.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 8

/**
 * Measures a list over HTTP with session, permission, tenant transaction and row-level security, alternating with pgbench
 * on the same transaction and database. The ratio is per pair.
 */
export async function measureList<I extends z.ZodType>(
  product: Product,
  home: string,
  what: string,
  call: ListCall<I>,
): Promise<Row> {
  const token = await signIn(product.address)
  const url = addressOf(product, call)
  const script = join(home, 'list.sql')
  await writeFile(script, await listTransaction(Claims.parse(decodeJwt(token)), call))
  await load({ url, token, connections: CONNECTIONS, seconds: 2 })

  const pairs: { ours: number; theirs: number | null; p99: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await load({ url, token, connections: CONNECTIONS, seconds: SECONDS })
    if (ours.failed > 0) throw new Error(`${ours.failed} calls of ${call.name} failed.`)
    const theirs = await pgbench(home, script, { connections: CONNECTIONS, seconds: SECONDS })
    pairs.push({ ours: ours.perSecond, theirs: theirs?.perSecond ?? null, p99: ours.p99 })
  }
  const theirs = pairs.flatMap((pair) => (pair.theirs === null ? [] : [pair.theirs]))
  const ratios = pairs.flatMap((pair) => (pair.theirs === null ? [] : [pair.ours / pair.theirs]))
  return {
    what,
    measured: `${median(pairs.map((pair) => pair.ours)).toFixed(0)}/s, p99 ${median(pairs.map((pair) => pair.p99)).toFixed(0)} ms`,
    comparison:
      theirs.length === 0
        ? 'pgbench is not installed'
        : `pgbench of the same transaction ${median(theirs).toFixed(0)}/s`,
    ratio: ratios.length === 0 ? '-' : median(ratios).toFixed(2),
  }
}

/** Compares a late page of the same list with its first page, in pairs. */
export async function measureDepth<I extends z.ZodType>(
  product: Product,
  call: ListCall<I>,
  page: number,
): Promise<Row> {
  const token = await signIn(product.address)
  const first = { url: addressOf(product, call), token, connections: CONNECTIONS, seconds: SECONDS }
  const deep = { ...first, url: `${first.url}&page=${page}` }
  const pairs: { first: number; deep: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [await load(first), await load(deep)]
    if (one.failed + other.failed > 0) throw new Error(`${one.failed + other.failed} calls failed.`)
    pairs.push({ first: one.perSecond, deep: other.perSecond })
  }
  return {
    what: `${call.name} at page ${page}`,
    measured: `${median(pairs.map((pair) => pair.deep)).toFixed(0)}/s`,
    comparison: `page 1 ${median(pairs.map((pair) => pair.first)).toFixed(0)}/s; goal 0.7`,
    ratio: median(pairs.map((pair) => pair.deep / pair.first)).toFixed(2),
  }
}

function addressOf<I extends z.ZodType>(product: Product, { endpoint, asked }: ListCall<I>): string {
  return `${product.address}${endpoint.path}?${new URLSearchParams(asked)}`
}
