import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listEndpoints, type Endpoint } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { listOf } from '#contract/queried-list.ts'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let auditor: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** Words that no one but this buyer has. */
const [FIRST, LAST, MAIL, PHONE, OTHER] = [
  'Zephyrine',
  'Quillfeather',
  'zq-markerbuyer',
  '4085550142',
  'Otherquill',
]
const MARKERS = [FIRST, LAST, MAIL, PHONE, '408-555-0142', '(408) 555-0142', OTHER, 'purple canoe']

async function meetBuyer(): Promise<string> {
  const { id: address } = await ford.call(inboundAddresses.add, {
    label: 'Markers',
    sourceName: 'Markers',
    lotId: await ford.addLot(),
  })
  const { adfPath } = await ford.call(inboundAddresses.renewUrls, { id: address })
  const { received } = await postInbound(
    forecourt,
    adfPath,
    `<?adf version="1.0"?><adf><prospect><customer><contact><name part="first">${FIRST}</name><name part="last">${LAST}</name>
<email>${MAIL}@mail.example</email><phone>${PHONE}</phone></contact><comments>I carry a purple canoe.</comments></customer></prospect></adf>`,
  )
  const id = received?.leads[0]?.id ?? ''
  await forecourt.deliveries.workDue()
  const lead = await ford.call(leads.get, { id })
  await ford.call(leads.sendEmail, { id, subject: `Hello ${FIRST}`, text: 'About your purple canoe.' })
  await ford.call(people.update, { id: lead.personId, name: `${FIRST} ${OTHER}` })
  await forecourt.owner.query(
    `insert into suppressed_addresses (customer_id, email, reason) select customer_id, $1, 'bounced' from organizations where name = 'Northgate Ford'`,
    [`${MAIL}@mail.example`],
  )
  return id
}

const Rows = z.object({ results: z.array(z.object({ id: z.string().optional() })) })
const idsIn = (answer: unknown) =>
  answer === null ? [] : Rows.parse(answer).results.flatMap(({ id }) => id ?? [])
const named = (of: unknown) => {
  const text = JSON.stringify(of)
  return MARKERS.filter((one) => text.toLowerCase().includes(one.toLowerCase()))
}

test('who reads no leads finds no buyer in any list, in any row of one, and by no search', async () => {
  await meetBuyer()
  const told: string[] = []
  let [lists, rows] = [0, 0]
  const tell = async (what: string, call: () => Promise<unknown>): Promise<unknown> => {
    try {
      const answer = await call()
      const found = named(answer)
      if (found.length > 0) told.push(`${what}: ${found.join(', ')}`)
      return answer
    } catch (error) {
      if (error instanceof Refused) return null
      throw error
    }
  }
  const all: Readonly<Record<string, Endpoint>> = Object.fromEntries(
    listEndpoints(contract).map(({ name, endpoint }) => [name, endpoint]),
  )
  for (const [name, endpoint] of Object.entries(all)) {
    if (listOf(endpoint) === undefined) continue
    const list = await tell(name, () => auditor.call(endpoint, { pageSize: 200 }))
    if (list === null) continue
    lists += 1
    for (const search of [LAST, MAIL]) {
      const found = await tell(`${name}?search`, () => auditor.call(endpoint, { search }))
      if (idsIn(found).length > 0) told.push(`${name} finds ${search}`)
    }
    const get = all[name.replace(/\w+$/, 'get')]
    if (get === undefined) continue
    for (const id of idsIn(list).slice(0, 40)) {
      rows += 1
      await tell(`${name} ${id}`, () => auditor.call(get, { id }))
    }
  }
  expect(lists).toBeGreaterThan(15)
  expect(rows).toBeGreaterThan(100)
  expect(told).toEqual([])
})
