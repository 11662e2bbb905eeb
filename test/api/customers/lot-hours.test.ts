import { afterAll, beforeAll, expect, test } from 'vitest'
import { openingAt } from '#contract/customers/lots/open-now.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { Refused, testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp()
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

const HOURS = [
  { day: 'mon' as const, opens: '09:00', closes: '12:00' },
  { day: 'mon' as const, opens: '13:00', closes: '18:00' },
  { day: 'fri' as const, opens: '20:00', closes: '02:00' },
]
const CHRISTMAS = { on: '2026-12-25', name: 'Christmas Day', hours: [] }
const NEW_YEAR = { on: '2026-01-01', name: 'New Year', hours: [{ opens: '12:00', closes: '16:00' }] }
const add = (more: object = {}) =>
  dealer.call(lots.add, { name: fresh('Lot'), code: fresh('H').replace(' ', ''), ...more })
const fieldsOf = async (call: Promise<unknown>) => {
  const error: unknown = await call.catch((reason: unknown) => reason)
  return error instanceof Refused ? error.refusal.fields : null
}

test('stores hours and holidays in order, and keeps them when other fields change', async () => {
  const lot = await add({ hours: HOURS, holidays: [CHRISTMAS, NEW_YEAR] })
  expect(lot).toMatchObject({ hours: HOURS, holidays: [NEW_YEAR, CHRISTMAS], zone: 'America/Los_Angeles' })
  await dealer.call(lots.update, { id: lot.id, city: 'Davis' })
  const saved = await dealer.call(lots.get, { id: lot.id })
  expect(saved).toMatchObject({ city: 'Davis', hours: HOURS, holidays: [NEW_YEAR, CHRISTMAS] })
  // Accepts the whole response.
  const again = await dealer.call(lots.update, { ...saved, hours: [], holidays: [CHRISTMAS] })
  expect(again).toMatchObject({ hours: [], holidays: [CHRISTMAS] })
})

test('uses the time zone of the lot, or of its organization', async () => {
  const lot = await add({ hours: HOURS, timeZone: 'America/New_York' })
  expect(lot.zone).toBe('America/New_York')
  // Monday, 12:30 in New York and 9:30 in Los Angeles.
  const moment = new Date('2026-11-23T17:30:00Z')
  expect(openingAt(lot, moment)).toMatchObject({ state: 'closed', opens: { at: '13:00' } })
  const here = await dealer.call(lots.update, { id: lot.id, timeZone: null })
  expect(openingAt(here, moment)).toMatchObject({ state: 'open', until: { at: '12:00' } })
})

test.each([
  [
    { hours: [...HOURS, { day: 'mon', opens: '11:00', closes: '14:00' }] },
    'hours',
    'Monday has overlapping hours.',
  ],
  [
    { hours: [{ day: 'mon', opens: '9', closes: '18:00' }] },
    'hours.0.opens',
    'Opening time must look like 09:00.',
  ],
  [
    { hours: [{ day: 'someday', opens: '09:00', closes: '18:00' }] },
    'hours.0.day',
    'Choose a day of the week.',
  ],
  [{ holidays: [CHRISTMAS, CHRISTMAS] }, 'holidays', 'Each date can be listed only once.'],
  [{ holidays: [{ ...CHRISTMAS, on: '2026-02-30' }] }, 'holidays.0.on', 'Choose a date such as 2026-12-25.'],
])('rejects %j at its field', async (more, field, sentence) => {
  expect(await fieldsOf(add(more))).toMatchObject({ [field]: sentence })
})

test('lists can search and filter hours as text', async () => {
  const word = fresh('Hourly').replace(' ', '')
  await add({ name: word, hours: HOURS })
  await add({ name: `${word} blank` })
  const of = async (filter: string) =>
    (await dealer.call(lots.list, { search: word, filter })).results.map(({ name }) => name)
  expect(await of('hours.contains("Mon 09:00-12:00 13:00-18:00, Fri 20:00-02:00")')).toEqual([word])
  expect(await of('hours == null')).toEqual([`${word} blank`])
})

test('undoing a bulk deletion restores the hours of a lot', async () => {
  const { id } = await add({ hours: HOURS, holidays: [CHRISTMAS] })
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const job = await admin.call(lots.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  expect(await dealer.call(lots.get, { id })).toMatchObject({ hours: HOURS, holidays: [CHRISTMAS] })
})
