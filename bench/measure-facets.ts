import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { facets } from '#contract/lists/facets.ts'
import { median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const Answer = z.object({ data: facets.list.output.nullable(), message: z.string().nullable() })
const ROUNDS = 5
const CASES = [
  ['all of them', ''],
  ['those of one make', 'make == "Ford"'],
] as const

/**
 * Quick filter counts of the tenant with a million vehicles, all fields counted exactly, over HTTP, compared in pairs with
 * the first page of the list and its counts under the same rule.
 */
export async function measureFacets(product: Product): Promise<Row[]> {
  const token = await signIn(product.address, 'harbor.dealer')
  const rows: Row[] = []
  for (const [which, filter] of CASES) {
    const pairs: { facets: number; list: number }[] = []
    let counted = 0
    let refusal: string | null = null
    for (let round = 0; round < ROUNDS; round += 1) {
      const answer = await ask(product, token, facets.list.path, { list: 'vehicles', filter })
      const { data, message } = Answer.parse(JSON.parse(answer.text))
      refusal = data === null ? message : null
      counted = (data?.[0]?.values ?? []).reduce((sum, { rows: of }) => sum + of, 0)
      const list = await ask(product, token, vehicles.list.path, { filter })
      pairs.push({ facets: answer.ms, list: list.ms })
    }
    rows.push({
      what: `facets of a tenant of 1,000,000 vehicles, ${which} (${counted.toLocaleString('en')}), every field counted, over HTTP`,
      measured: `${median(pairs.map((pair) => pair.facets)).toFixed(0)} ms${refusal === null ? '' : `, then: ${refusal}`}`,
      comparison: `the list under the same rule ${median(pairs.map((pair) => pair.list)).toFixed(0)} ms`,
      ratio: median(pairs.map((pair) => pair.facets / pair.list)).toFixed(2),
    })
  }
  return rows
}

async function ask(
  { address }: Product,
  token: string,
  path: string,
  asked: Record<string, string>,
): Promise<{ ms: number; text: string }> {
  const startedAt = performance.now()
  const answer = await fetch(`${address}${path}?${new URLSearchParams(asked)}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await answer.text()
  const ms = performance.now() - startedAt
  // A statement timeout returns an error message, which is shown in the row.
  if (answer.status >= 401) throw new Error(`${path} returned ${answer.status}: ${text.slice(0, 200)}`)
  return { ms, text }
}
