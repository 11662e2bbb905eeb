import { z } from 'zod'
import { lots } from '#contract/customers/lots/lots.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const VEHICLES = 20_000
const LIMIT_MS = 300
const ROUNDS = 7
const Saved = z.object({ data: z.object({ id: z.string(), version: z.number().int() }) })
const Lots = z.object({ data: z.object({ results: z.array(z.object({ id: z.string() })) }) })
const RULE = { name: 'Bench', kind: 'discount', condition: 'make == "Ford"', cents: 50_000 } as const

/**
 * The preview of a price rule over the 20,000 vehicles of the demo dealer, with its 14 rules, over HTTP: compared with the limit,
 * and in pairs with counting the vehicles that match its condition in the list. And saving a rule that starts later, which is
 * evaluated twice, for now and for its start, compared with the preview.
 */
export async function measurePricing({ address }: Product): Promise<Row[]> {
  const token = await signIn(address)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (path: string, request: RequestInit): Promise<{ ms: number; text: string }> => {
    const startedAt = performance.now()
    const answer = await fetch(`${address}${path}`, { ...request, headers })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}: ${text.slice(0, 200)}`)
    return { ms: performance.now() - startedAt, text }
  }
  const timed = async (path: string, request: RequestInit): Promise<number> => (await send(path, request)).ms
  const save = async (path: string, rule: object) => {
    const { ms, text } = await send(path, { method: 'POST', body: JSON.stringify(rule) })
    return { ms, ...Saved.parse(JSON.parse(text)).data }
  }
  const list = `${vehicles.list.path}?${new URLSearchParams({ filter: RULE.condition })}`
  const body = JSON.stringify({ id: null, rule: RULE })
  const pairs: { preview: number; list: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const preview = await timed(pricingRules.preview.path, { method: 'POST', body })
    pairs.push({ preview, list: await timed(list, {}) })
  }
  const ms = median(pairs.map(({ preview }) => preview))
  const start = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  // The dealer manages rules of the lots of the organization only.
  const { text: lotsText } = await send(lots.list.path, {})
  const lotIds = Lots.parse(JSON.parse(lotsText)).data.results.map(({ id }) => id)
  let saved = await save(pricingRules.add.path, {
    ...RULE,
    lotIds,
    fromMinute: `${start}T00:00`,
    confirmPrices: true,
  })
  const saves: number[] = []
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { id, version } = saved
    saved = await save(pricingRules.update.path, {
      id,
      version,
      cents: RULE.cents + round,
      confirmPrices: false,
    })
    saves.push(saved.ms)
  }
  await timed(`${pricingRules.remove.path.replace('{id}', saved.id)}?version=${saved.version}`, {
    method: 'DELETE',
  })
  const preview: Row = {
    what: `preview of one price rule over ${VEHICLES.toLocaleString('en')} vehicles with 14 other rules, over HTTP`,
    measured: `${ms.toFixed(0)} ms`,
    comparison: `limit: ${LIMIT_MS} ms; the list under its condition ${median(pairs.map((one) => one.list)).toFixed(0)} ms`,
    ratio: (ms / LIMIT_MS).toFixed(2),
  }
  const saveMs = median(saves)
  return [
    preview,
    {
      what: `one price rule that starts later saved over ${VEHICLES.toLocaleString('en')} vehicles with 14 other rules, over HTTP`,
      measured: `${saveMs.toFixed(0)} ms`,
      comparison: `its preview ${ms.toFixed(0)} ms`,
      ratio: (saveMs / ms).toFixed(2),
    },
  ]
}
