import autocannon from 'autocannon'
import pg from 'pg'
import { lots } from '#contract/customers/lots/lots.ts'
import { leads } from '#contract/leads/leads/leads.ts'
import { connectionOf } from './generate.ts'
import type { Product } from './product.ts'
import type { Row } from './run.ts'
import { signIn } from './sign-in.ts'

const CONNECTIONS = 8
const SECONDS = 5
const GOAL = 50

/**
 * Leads of new people from the request to the committed route: person matched, consent and timeline noted, rules tried, cursor
 * moved. Compared in pairs with copying the rows of one lead in transactions of their own, over as many connections.
 */
export async function measureLeads({ address }: Product, home: string): Promise<Row> {
  const token = await signIn(address)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const [lot] =
    lots.list.output.parse(
      Reflect.get(Object(await (await fetch(`${address}${lots.list.path}`, { headers })).json()), 'data'),
    ).results ?? []
  let at = 0
  const body = (): string =>
    JSON.stringify({
      type: 'used',
      sourceName: 'Bench',
      lotId: lot?.id,
      firstName: `Buyer ${(at += 1)}`,
      lastName: 'Example',
      email: `bench${at}@mail.example`,
      comments: 'Is it still available?',
    })
  const result = await autocannon({
    url: `${address}${leads.add.path}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers,
    requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, body: body() }) }],
  })
  if (result['2xx'] === 0) throw new Error('No lead was added.')
  const perSecond = result['2xx'] / result.duration
  const plain = await copyLeads(home)
  const failed = result.non2xx + result.errors
  return {
    what: `lead received, person matched, routed and audited, over HTTP${failed > 0 ? `, ${failed} failed` : ''}`,
    measured: `${perSecond.toFixed(0)}/s`,
    comparison: `copying the rows of one lead in as many transactions: ${plain.toFixed(0)}/s; goal ${GOAL}/s`,
    ratio: (perSecond / plain).toFixed(2),
  }
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
      "select id::text from leads where source_name = 'Bench' order by id limit 1",
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
