import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { median } from './load.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const ROUNDS = 2
const POLL_MS = 100
const GIVE_UP_MS = 600_000

/** Users with access to the whole customer with the most vehicles. */
const ADMIN = 'harbor.admin'

/**
 * New stored prices for the customer with the most vehicles after a user changed one of its price rules, from sending the change
 * until the last vehicle has its price. Compared with one scan of the same rows that reads the columns of prices. A rule for
 * every vehicle is the most that one change can cause. @param most how many of the rules are measured, the narrowest first
 */
export async function measureRepricing(
  { address }: Product,
  client: pg.Client,
  most: number = RULES.length,
): Promise<Row[]> {
  const found = await client.query<{ id: string; vehicles: string }>(
    'select customer_id as id, count(*) as vehicles from vehicles group by customer_id order by count(*) desc limit 1',
  )
  const { id, vehicles } = found.rows[0] ?? { id: '0', vehicles: '0' }
  // The bench writes prices without rules.
  await client.query('insert into price_requests (customer_id) values ($1)', [id])
  await waitUntilPriced(client, id)
  const count = Number(vehicles).toLocaleString('en')
  const save = saveWith(address, await signIn(address, ADMIN))
  const measured: Row[] = []
  for (const { condition, what } of RULES.slice(0, most)) {
    // oxlint-disable-next-line no-await-in-loop -- One after the other: they must not compete.
    const { repriced, scan, changed } = await measureRule({ client, save }, id, condition)
    measured.push({
      what: `stored prices of a customer with ${count} vehicles after a change of a price rule for ${what} (${changed.toLocaleString('en')} prices change), from sending the change until the last one is stored`,
      measured: `${(repriced / 1000).toFixed(1)} s`,
      comparison: `one scan of the columns of prices ${(scan / 1000).toFixed(1)} s`,
      ratio: (repriced / scan).toFixed(1),
    })
  }
  return measured
}

const RULES = [
  { condition: 'make == "Ford" && year == 2019', what: 'one make and year' },
  { condition: 'make == "Ford"', what: 'one make' },
  { condition: '', what: 'every vehicle' },
] as const

type Save = <I extends z.ZodType, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>

/** Sends changes over HTTP. */
function saveWith(address: string, token: string): Save {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async ({ path, output }, input) => {
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(input) })
    const content = z.object({ data: z.unknown() }).parse(await answer.json())
    if (answer.status !== 200) throw new Error(`${path} returned ${answer.status}.`)
    return output.parse(content.data)
  }
}

/** In milliseconds: the medians of some changes of one rule, each with a scan just before. `changed`: prices per change. */
async function measureRule(
  { client, save }: { client: pg.Client; save: Save },
  id: string,
  condition: string,
): Promise<{ repriced: number; scan: number; changed: number }> {
  const confirmed = { confirmPrices: true, confirmEvery: true }
  const given = { name: 'Bench repricing', kind: 'discount', cents: 10_000, condition } as const
  const rule = await save(pricingRules.add, { ...given, ...confirmed })
  await waitUntilPriced(client, id)
  const rounds: { repriced: number; scan: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const scan = await timeOfScan(client, id)
    const startedAt = performance.now()
    const cents = given.cents + 1_000 * (round + 1)
    await save(pricingRules.update, { id: rule.id, cents, ...confirmed })
    await waitUntilPriced(client, id)
    rounds.push({ repriced: performance.now() - startedAt, scan })
  }
  const found = await client.query<{ changed: string }>(
    'select count(*) as changed from vehicle_prices where customer_id = $1 and $2 = any(rule_ids)',
    [id, rule.id],
  )
  await client.query('delete from pricing_rules where customer_id = $1 and id = $2', [id, rule.id])
  await waitUntilPriced(client, id)
  return {
    repriced: median(rounds.map((round) => round.repriced)),
    scan: median(rounds.map((round) => round.scan)),
    changed: Number(found.rows[0]?.changed ?? 0),
  }
}

async function waitUntilPriced(client: pg.Client, customerId: string): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const { rows } = await client.query<{ busy: boolean }>(
      `select exists (select from price_requests where customer_id = $1)
        or exists (select from price_states where customer_id = $1 and (after_vehicle is not null or lease is not null)) as busy`,
      [customerId],
    )
    const [state] = rows
    if (state && !state.busy) return
    if (performance.now() > giveUpAt) throw new Error('The prices were not calculated within ten minutes.')
    await wait(POLL_MS)
  }
}

async function timeOfScan(client: pg.Client, customerId: string): Promise<number> {
  const startedAt = performance.now()
  await client.query(
    `select count(*), sum(v.price_cents), sum(v.msrp_cents), sum(v.feed_price_cents), sum(v.market_price_cents),
      sum(v.invoice_cents), sum(v.cost_cents), max(v.in_stock_on), count(*) filter (where v.make = 'Ford'),
      count(*) filter (where 'price' = any(v.locked)), sum(p.selling_cents), sum(p.total_cents), max(p.valid_until)
    from vehicles v join vehicle_prices p on p.customer_id = v.customer_id and p.vehicle_id = v.id
    where v.customer_id = $1`,
    [customerId],
  )
  return performance.now() - startedAt
}
