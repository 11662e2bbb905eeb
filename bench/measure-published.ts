import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { facets } from '#contract/lists/facets.ts'
import { median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const ROUNDS = 7
const PAIRS = [
  ['published == "published"', 'status == "live"'],
  ['published == "not-published"', 'status != "live"'],
] as const
const CALLS = [
  ['the first page of the list with its counts', vehicles.list.path, {}],
  ['all facets', facets.list.path, { list: 'vehicles' }],
] as const

const Answer = z.object({ data: z.unknown(), message: z.string().nullable() })

/**
 * The derived published status as a filter, over a tenant of a million vehicles, in pairs with a filter on a stored column.
 * Few of the bench's vehicles are published, so compare the ratios with the numbers of matching vehicles in mind.
 */
export async function measurePublished(product: Product): Promise<Row[]> {
  const token = await signIn(product.address, 'harbor.dealer')
  const rows: Row[] = []
  for (const [what, path, more] of CALLS) {
    for (const [derived, stored] of PAIRS) {
      const pairs: { derived: number; stored: number }[] = []
      // The first pair warms up both plans.
      for (let round = 0; round <= ROUNDS; round += 1) {
        const pair = {
          derived: await timeOf(product, token, path, { ...more, filter: derived }),
          stored: await timeOf(product, token, path, { ...more, filter: stored }),
        }
        if (round > 0) pairs.push(pair)
      }
      rows.push({
        what: `${what} of a tenant of 1,000,000 vehicles, filter \`${derived}\`, over HTTP`,
        measured: `${median(pairs.map((pair) => pair.derived)).toFixed(0)} ms`,
        comparison: `filter \`${stored}\` ${median(pairs.map((pair) => pair.stored)).toFixed(0)} ms`,
        ratio: median(pairs.map((pair) => pair.derived / pair.stored)).toFixed(2),
      })
    }
  }
  return rows
}

async function timeOf(
  { address }: Product,
  token: string,
  path: string,
  asked: Record<string, string>,
): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(`${address}${path}?${new URLSearchParams(asked)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await answer.text()
  const ms = performance.now() - startedAt
  const { data, message } = Answer.parse(JSON.parse(text))
  if (data === null) throw new Error(`${path} returned ${answer.status}: ${message}`)
  return ms
}
