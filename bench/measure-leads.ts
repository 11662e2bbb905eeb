import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { proven } from '#test/factories/marketing/visitor.ts'
import { asOwner, connectionOf } from './generate.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'

const HOST = 'northgate.localhost'
const FORM = '/f/contact'
const CONNECTIONS = 8
const LEADS = 250
/** A form that is sent earlier after it was opened is quarantined. */
const READING_MS = 2_100
const SECONDS = 5
const GOAL = 50

/**
 * Leads from the form post to the committed route: form checked and stored, person matched, consent and timeline noted, rules
 * tried, cursor moved, automatic reply queued. Each visitor opens the form and has an address of its own. Compared with copying
 * the rows of one lead in transactions of their own, over as many connections.
 * @param product with TRUST_PROXY=1.
 */
export async function measureLeads(product: Product, home: string): Promise<Row> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const send = (visitor: number, body: string | null) => sendForm(product, { agent, visitor, body })
  const visitors = Array.from({ length: LEADS }, (_, at) => at + 1)
  const bodies = new Map<number, string>()
  await each(
    visitors,
    async (visitor) => void bodies.set(visitor, await bodyOf(visitor, await send(visitor, null))),
  )
  await wait(READING_MS)
  const before = await countRouted(home)
  const startedAt = performance.now()
  await each(visitors, async (visitor) => void (await send(visitor, bodies.get(visitor) ?? '')))
  const perSecond = (LEADS * 1_000) / (performance.now() - startedAt)
  const routed = (await countRouted(home)) - before
  agent.destroy()
  if (routed !== LEADS) throw new Error(`${routed} of ${LEADS} leads were routed.`)
  const plain = await copyLeads(home)
  return {
    what: `form post to routed lead, over HTTP, ${LEADS} leads of as many people`,
    measured: `${perSecond.toFixed(0)}/s`,
    comparison: `copying the rows of one lead in as many transactions: ${plain.toFixed(0)}/s; goal ${GOAL}/s`,
    ratio: (perSecond / plain).toFixed(2),
  }
}

/** Does work for each, over all connections. */
async function each(visitors: readonly number[], work: (visitor: number) => Promise<void>): Promise<void> {
  const left = [...visitors]
  const connection = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

/** Opens the form, or with a body sends it. `fetch` sets the host itself. @returns the page. */
async function sendForm(
  { address }: Product,
  { agent, visitor, body }: { agent: Agent; visitor: number; body: string | null },
): Promise<string> {
  const headers = {
    host: HOST,
    'x-forwarded-for': `198.51.${100 + (visitor >> 8)}.${visitor & 255}`,
    ...(body !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  return new Promise((done, fail) => {
    const sent = request(
      `${address}${FORM}`,
      { agent, headers, method: body === null ? 'GET' : 'POST' },
      (response) => {
        let text = ''
        const wanted = body === null ? 200 : 303
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () =>
          response.statusCode === wanted
            ? done(text)
            : fail(new Error(`The form answered ${response.statusCode}.`)),
        )
      },
    )
    sent.on('error', fail)
    sent.end(body ?? undefined)
  })
}

/** With a proof of work: without one, more than a few would wait in quarantine. */
async function bodyOf(visitor: number, page: string): Promise<string> {
  const token = new RegExp(`name="${FIELD_NAMES.token}"\\s+value="([^"]+)"`).exec(page)?.[1] ?? ''
  return new URLSearchParams({
    ...(await proven({ text: page, hidden: { [FIELD_NAMES.token]: token } })),
    topic: 'sales',
    firstName: `Bench ${visitor}`,
    email: `bench${visitor}.${Date.now()}@mail.example`,
    message: `Is it still available? ${visitor}`,
  }).toString()
}

const BENCH_LEADS = "l.source_name = 'Website form' and l.comments like 'Is it still available? %'"

async function countRouted(home: string): Promise<number> {
  return asOwner(home, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from lead_routes r join leads l on l.customer_id = r.customer_id and l.id = r.lead_id
       where ${BENCH_LEADS}`,
    )
    return rows[0]?.count ?? 0
  })
}

/** The least that storing leads can cost: nothing is matched, checked or routed. @returns leads per second. */
async function copyLeads(home: string): Promise<number> {
  const { host, port, postgresPassword: password } = await connectionOf(home)
  const pool = new pg.Pool({
    host,
    port,
    user: 'postgres',
    password,
    database: 'forecourt',
    max: CONNECTIONS,
  })
  try {
    const { rows } = await pool.query<{ id: string }>(
      `select l.id::text from leads l where ${BENCH_LEADS} order by l.id limit 1`,
    )
    const until = performance.now() + SECONDS * 1_000
    let count = 0
    const copy = async (): Promise<void> => {
      for (; performance.now() < until; count += 1) await pool.query(COPY, [rows[0]?.id])
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, copy))
    return count / SECONDS
  } finally {
    await pool.end()
  }
}

const COPY = `with p as (
    insert into people (customer_id, organization_id, name)
    select l.customer_id, l.organization_id, p.name from leads l
    join people p on p.customer_id = l.customer_id and p.id = l.person_id where l.id = $1 returning customer_id, organization_id, id),
  l as (
    insert into leads (customer_id, organization_id, person_id, type, source_kind, source_name, status)
    select customer_id, organization_id, id, 'used', 'manual', 'Bench copy', 'delivered' from p returning customer_id, organization_id, id),
  e as (
    insert into lead_events (customer_id, organization_id, lead_id, kind)
    select customer_id, organization_id, id, k from l cross join (values ('received'), ('routed')) k (k))
  insert into lead_routes (customer_id, organization_id, lead_id) select customer_id, organization_id, id from l`
