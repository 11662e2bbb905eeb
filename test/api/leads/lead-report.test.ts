// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEAD_LIST, leadRule, readLeadQueue } from '#contract/leads/inbox/lead-list.ts'
import { leadResponses } from '#contract/leads/inbox/lead-responses.ts'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { reports } from '#contract/reports/reports.ts'
import { takeDueLeadSteps } from '#server/leads/index.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let parts: Parameters<typeof takeDueLeadSteps>[0]
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  parts = {
    queue: forecourt.jobsPool,
    pool: forecourt.appPool,
    put: forecourt.outbox.put,
    base: () => 'https://forecourt.example',
  }
})
afterAll(() => forecourt.close())

const MINUTE = 60_000
const period = { from: '2026-11-18', to: '2026-11-18' }
const NAMES = ['leads', 'answered', 'waiting', 'late', 'escalated', 'sold', 'lost'] as const

/** How many leads a figure's link opens. */
async function rowsOf(caller: Pick<Caller, 'call'>, url: string): Promise<number> {
  const search = new URL(url, 'https://forecourt.example').searchParams
  const filter = leadRule({
    queue: readLeadQueue(search.get('queue')),
    filter: search.get('filter') ?? '',
  })
  return (await caller.call(leads.list, { filter, pageSize: 1 })).filteredRows
}

/** The file of the report. */
async function download(caller: Caller, asked: Record<string, string>): Promise<string> {
  const url = `${leadResponses.export.path}?${new URLSearchParams(asked)}`
  const { status, bytes } = await caller.send({ method: 'GET', url })
  expect(status).toBe(200)
  return bytes.toString('utf8')
}

test('the report agrees with a count by hand, and each figure opens exactly the leads that it counts', async () => {
  const [lotId, sourceName] = [await ford.addLot(), fresh('Report')]
  const luis = await forecourt.as('northgate.dealer', 'Northgate Ford')
  await ford.call(leadSettings.updateLot, { lotId, managerId: await ford.createUser('Sales manager') })
  const ids: string[] = []
  for (let at = 0; at < 6; at += 1) ids.push(await ford.addLead({ sourceName, lotId }))
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
  const seconds: number[] = []
  const answer = async (id: string, caller: Pick<Caller, 'call'>) => {
    const { openResponseSeconds } = await caller.call(leads.logCall, { id, result: 'reached' })
    seconds.push(openResponseSeconds ?? -1)
  }
  clock.advance(2 * MINUTE)
  await answer(first, luis)
  clock.advance(5 * MINUTE)
  await answer(second, luis)
  // A voicemail is no response.
  await luis.call(leads.logCall, { id: third, result: 'voicemail' })
  await luis.call(leads.accept, { id: fourth })
  await ford.call(leads.setOutcome, { id: fifth, outcome: 'lost', lostReason: 'Price' })
  clock.advance(20 * MINUTE)
  await takeDueLeadSteps(parts)
  await answer(third, await forecourt.as('sofia.marino', 'Northgate Ford'))
  await ford.call(leads.setOutcome, { id: first, outcome: 'sold' })

  const report = await ford.call(leadResponses.get, { ...period, lotId })
  const byName = (row: (typeof report)['total']) =>
    Object.fromEntries(NAMES.map((name) => [name, row[name].count]))
  const expected = { leads: 6, answered: 3, waiting: 2, late: 3, escalated: 3, sold: 1, lost: 1 }
  expect(byName(report.total)).toEqual(expected)
  const [low = 0, middle = 0, high = 0] = seconds.toSorted((one, other) => one - other)
  expect(low).toBeLessThan(high)
  expect(report.total.medianSeconds).toBe(middle)
  // Linear between the second and the third of three: at 1.8 of the way from the first.
  expect(report.total.p90Seconds).toBeCloseTo(middle + 0.8 * (high - middle), 0)
  expect(report.byLot.map(({ id }) => id)).toEqual([lotId])
  const own = report.byUser.find(({ name }) => name === 'Luis Ortega')
  expect(own).toMatchObject({ leads: { count: 3 }, answered: { count: 2 }, escalated: { count: 1 } })

  const everywhere = await ford.call(leadResponses.get, period)
  const rows = [report.total, ...report.byUser, ...report.byLot, ...report.bySource]
  for (const row of [...rows, ...everywhere.byUser.slice(0, 2), ...everywhere.bySource.slice(0, 2)]) {
    for (const name of NAMES) {
      const { count, deleted, url } = row[name]
      expect(url === null ? 0 : await rowsOf(ford, url)).toBe(count - deleted)
    }
  }
  expect(LEAD_LIST.page).toBe('/customers/leads')

  const dana = await forecourt.as('northgate.admin', 'Northgate Ford')
  const lines = (await download(dana, { ...period, lotId, format: 'csv' })).split('\r\n')
  expect(lines[0]).toContain('"Median, minutes","90th percentile, minutes"')
  expect(lines[1]).toMatch(/^"Total","All leads",6,3,2,3,3,1,1,/)
  expect((await download(dana, { ...period, format: 'xlsx' })).slice(0, 2)).toBe('PK')
})

test('people of another store see none of it', async () => {
  const sourceName = fresh('Ford only')
  await ford.addLead({ sourceName })
  const theirs = await forecourt.as('sofia.marino', 'Northgate Toyota')
  const report = await theirs.call(leadResponses.get, period)
  expect(report.bySource.some(({ name }) => name === sourceName)).toBe(false)
  expect(await download(theirs, { ...period, format: 'csv' })).not.toContain(sourceName)
  const auditor = await forecourt.as('northgate.auditor', 'Northgate Ford')
  await expect(auditor.call(leadResponses.export, { ...period, format: 'csv' })).toRefuse(403)
})

test('an export has everything of the leads that match; auditors of new customers get none', async () => {
  const [sourceName, word] = [fresh('Export'), fresh('Marker').replaceAll(' ', '')]
  const id = await ford.addLead({ sourceName, phone: '+1 916 555 0142', comments: `${word} question` })
  await ford.addLead({ sourceName: fresh('Other export') })
  const { personId } = await ford.call(leads.get, { id })
  await ford.call(people.addContact, { personId, kind: 'email', value: `${word}@mail.example` })
  await ford.call(people.revoke, { id: personId, channel: 'text', text: `${word} asked by phone` })
  await ford.call(leads.update, { id, tradeIn: { year: 2014, make: 'Honda', model: word, mileage: 88_000 } })
  await ford.call(leads.addNote, { id, text: `${word} note` })
  await ford.call(leads.logCall, { id, result: 'reached', text: `${word} call` })
  await ford.call(leads.setOutcome, { id, outcome: 'lost', lostReason: `${word} reason` })
  const columns = Object.entries(LEAD_LIST.fields).flatMap(([name, field]) =>
    'isColumn' in field ? [] : [name],
  )
  const dana = await forecourt.as('northgate.admin', 'Northgate Ford')
  const payload = { list: 'leads', columns, filter: `sourceName == "${sourceName}"` }
  const ask = (by: Caller, format: 'csv' | 'xlsx') =>
    by.send({ method: 'POST', url: reports.exportList.path, payload: { ...payload, format } })
  const { status, text } = await ask(dana, 'csv')
  expect(status).toBe(200)
  for (const part of [
    `${word} question`,
    `${word}@mail.example`,
    '916 555 0142',
    `revoked marketing text`,
    `${word} asked by phone`,
    `2014 Honda ${word}, 88,000`,
    `Note. ${word} note`,
    `Call, reached. ${word} call`,
    `${word} reason`,
    'Dana Whitfield',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('Other export')
  expect((await ask(dana, 'xlsx')).bytes.subarray(0, 2).toString()).toBe('PK')
  expect((await ask(await forecourt.as('northgate.auditor', 'Northgate Ford'), 'csv')).status).toBe(403)
})
