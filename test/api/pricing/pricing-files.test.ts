import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleFiles } from '#contract/pricing/rules/rule-files.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { type Caller, refusalOf, testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
})
beforeEach(async () => {
  await forecourt.owner.query('delete from pricing_rules')
})
afterAll(() => forecourt.close())

const fileOf = (rules: readonly unknown[]) =>
  JSON.stringify({ format: 'forecourt-pricing-rules', version: 1, rules })
const addVehicle = (model: string, priceCents: number, more: object = {}) =>
  place.addVehicle({
    model,
    make: 'Ford',
    status: 'live',
    year: 2026,
    condition: 'new',
    priceCents,
    locksEdits: false,
    ...more,
  })
/** What is wrong with a call's fields. */
const fieldsOf = async (call: Promise<unknown>) => (await refusalOf(call)).refusal.fields ?? {}
const sellingPrice = async (id: string) => (await admin.call(vehiclePrices.get, { id })).sellingCents
const names = async () =>
  ((await admin.call(pricingRules.list, { sort: 'name' })).results ?? []).map((one) => one.name)

test('a customer can have a thousand rules, and conditions of 100,000 characters, however they are added', async () => {
  const rule = { name: 'One more', kind: 'discount', cents: 100, condition: 'model == "None"' } as const
  const fill = (count: number, condition: string) =>
    forecourt.owner.query(
      `insert into pricing_rules (customer_id, name, kind, cents, condition)
      select $1, 'Full ' || n, 'discount', 100, $3 from generate_series(1, $2::int) n`,
      [place.customerId, count, condition],
    )
  await fill(999, '')
  const first = await admin.call(pricingRules.add, rule)
  const most = 'There can be at most 1,000 price rules. Delete those that have ended first.'
  await expect(admin.call(pricingRules.add, { ...rule, name: 'Two more' })).toRefuse(409, most)
  const text = fileOf([{ ...rule, name: 'Filed', lots: [] }])
  await expect(admin.call(ruleFiles.import, { text, isTrial: true })).toRefuse(409, most)
  await expect(admin.call(ruleFiles.import, { text, isTrial: false })).toRefuse(409, most)
  await forecourt.owner.query(`delete from pricing_rules where name like 'Full %'`)
  await fill(50, `model == "${'x'.repeat(1_987)}"`)
  const long = `model == "${'y'.repeat(100)}"`
  await expect(admin.call(pricingRules.update, { id: first.id, condition: long })).toRefuse(
    409,
    'The conditions of all price rules together can have at most 100,000 characters.',
  )
  // What doesn't make it longer is allowed.
  await admin.call(pricingRules.update, { id: first.id, condition: 'model == "No"', cents: 200 })
})

test('the exported file imports into the same rules, and changes nothing where they already are', async () => {
  const lotId = await place.addLot()
  const model = fresh('Maverick')
  const own = { condition: `model == "${model}"`, kind: 'discount', confirmEvery: true } as const
  await admin.call(pricingRules.add, { ...own, name: 'A', cents: 50_000, lotIds: [lotId] })
  await admin.call(pricingRules.add, {
    ...own,
    name: 'B',
    field: 'msrp',
    percent: 1.5,
    steps: [{ days: 30, cents: 10_000, percent: null }],
    exclusiveGroup: 'Age',
    untilMinute: '2027-01-31T23:59',
  })
  const offer = { name: 'C', kind: 'offer', cents: 70_000, qualifier: 'Graduates', isActive: false } as const
  await admin.call(pricingRules.add, offer)
  const file = await admin.call(ruleFiles.export, {})
  expect(file.rules.map(({ lots: codes }) => codes.length)).toEqual([1, 0, 0])
  expect(JSON.stringify(file)).not.toContain('lotIds')
  const text = JSON.stringify(file)
  expect(await admin.call(ruleFiles.import, { text, isTrial: false })).toMatchObject({ rules: [], same: 3 })

  await forecourt.owner.query('delete from pricing_rules')
  const trial = await admin.call(ruleFiles.import, { text, isTrial: true })
  expect([trial.isSaved, trial.rules.map(({ change }) => change)]).toEqual([
    false,
    ['added', 'added', 'added'],
  ])
  expect(await names()).toEqual([])
  await admin.call(ruleFiles.import, { text, isTrial: false })
  expect(await admin.call(ruleFiles.export, {})).toEqual(file)
})

test('an import changes the rules it names, shows the effect first, and asks like the form does', async () => {
  const model = fresh('Bronco')
  const id = await addVehicle(model, 4_000_000)
  const own = { condition: `model == "${model}"` }
  await admin.call(pricingRules.add, { name: 'Sale', kind: 'discount', cents: 50_000, ...own })
  const text = fileOf([
    { name: 'sale', kind: 'discount', cents: 90_000, ...own },
    { name: 'More', kind: 'discount', cents: 10_000, ...own },
  ])
  const trial = await admin.call(ruleFiles.import, { text, isTrial: true })
  expect(trial.rules.map(({ name, change }) => [name, change])).toEqual([
    ['sale', 'changed'],
    ['More', 'added'],
  ])
  expect(trial.effect).toMatchObject({
    lowered: 1,
    raised: 0,
    totalCents: -50_000,
    largest: [{ vehicleId: id, beforeCents: 3_950_000, afterCents: 3_900_000 }],
  })
  expect(await sellingPrice(id)).toBe(3_950_000)
  await admin.call(ruleFiles.import, { text, isTrial: false })
  expect(await sellingPrice(id)).toBe(3_900_000)

  const huge = fileOf([{ name: 'Huge', kind: 'discount', cents: 3_000_000, ...own }])
  expect(await fieldsOf(admin.call(ruleFiles.import, { text: huge, isTrial: false }))).toHaveProperty(
    'confirmPrices',
  )
  const every = fileOf([{ name: 'Every', kind: 'discount', cents: 100 }])
  expect(await fieldsOf(admin.call(ruleFiles.import, { text: every, isTrial: false }))).toHaveProperty(
    'confirmEvery',
  )
  expect(await names()).toEqual(['More', 'sale'])
})

test('a file with errors imports nothing and says where they are', async () => {
  const text = fileOf([
    { name: 'Right', kind: 'discount', cents: 100, condition: 'year == 2026' },
    { name: 'Broken filter', kind: 'discount', cents: 100, condition: 'colour ==' },
    { name: 'right', kind: 'discount', cents: 200, condition: 'year == 2025' },
    { name: 'Lost', kind: 'discount', cents: 100, lots: ['NOWHERE'] },
    { name: 'No amount', kind: 'discount' },
    { name: 'Odd', kind: 'gift', cents: 100 },
    { kind: 'discount', cents: 100, unknown: true },
    null,
  ])
  const fields = await fieldsOf(admin.call(ruleFiles.import, { text, isTrial: true }))
  for (const part of [
    'Rule 2 (Broken filter):',
    'Rule 3 (right): has the same name as Rule 1.',
    "Rule 4 (Lost): lot NOWHERE doesn't exist.",
    'Rule 5 (No amount): Enter an amount or a percentage.',
    'Rule 6: Choose what kind of rule it is.',
    'Rule 7:',
    'Rule 8: A rule must be an object.',
  ])
    expect(fields['text']).toContain(part)
  expect(await names()).toEqual([])
  for (const [broken, why] of [
    ['{', "This isn't a pricing rules file."],
    ['[]', "This isn't a pricing rules file."],
    ['{"format":"forecourt-pricing-rules","version":2,"rules":[]}', 'newer version'],
    ['{"format":"forecourt-pricing-rules","version":1,"currency":"CAD","rules":[null]}', 'in CAD'],
    [fileOf([]), 'The file has no rules.'],
    [fileOf(Array.from({ length: 301 }, () => null)), 'at most 300 rules'],
    [
      fileOf(
        Array.from({ length: 30 }, (_, at) => ({
          name: `Long ${at}`,
          kind: 'discount',
          condition: `${'year == 2020 || '.repeat(120)}year == 2021`,
          cents: 100,
        })),
      ),
      'at most 50,000 characters together',
    ],
  ] as const) {
    const refusal = await fieldsOf(admin.call(ruleFiles.import, { text: broken, isTrial: true }))
    expect([broken, refusal['text']]).toEqual([broken, expect.stringContaining(why)])
  }
})

test('a table of minimum prices becomes rules, and the next one pauses those that are gone', async () => {
  const [escape, edge] = [fresh('Escape'), fresh('Edge')]
  const low = await addVehicle(escape, 2_500_000)
  const used = await addVehicle(escape, 2_400_000, { condition: 'used' })
  await admin.call(pricingRules.add, {
    name: 'Sale',
    kind: 'discount',
    cents: 300_000,
    condition: `model in ["${escape}", "${edge}"]`,
    confirmPrices: true,
  })
  const table = 'MAP Ford'
  const text = `Model Year,Make,Model,Trim,MAP\n2026,Ford,${escape},,"$24,000"\n,Ford,${edge},ST,30000.50\n`
  const trial = await admin.call(ruleFiles.importLowest, { text, table, isTrial: true })
  expect(trial.rules).toEqual([
    { name: `MAP Ford: 2026 Ford ${escape}`, change: 'added' },
    { name: `MAP Ford: Ford ${edge} ST`, change: 'added' },
  ])
  // It raises a price that buyers see.
  await expect(admin.call(ruleFiles.importLowest, { text, table, isTrial: false })).toRefuse(409)
  await admin.call(ruleFiles.importLowest, { text, table, isTrial: false, confirmPrices: true })
  expect(await sellingPrice(low)).toBe(2_400_000)
  expect(await sellingPrice(used)).toBe(2_100_000)

  const next = `Make,Model,Lowest price\nFord,${edge},31000\n`
  const second = await admin.call(ruleFiles.importLowest, { text: next, table, isTrial: false })
  expect(second.rules).toEqual([
    { name: `MAP Ford: Ford ${edge}`, change: 'added' },
    { name: `MAP Ford: 2026 Ford ${escape}`, change: 'paused' },
    { name: `MAP Ford: Ford ${edge} ST`, change: 'paused' },
  ])
  expect(await sellingPrice(low)).toBe(2_200_000)
  // A table with a similar name is another table.
  const other = await admin.call(ruleFiles.importLowest, { text: next, table: 'MAP', isTrial: true })
  expect(other.rules.map(({ change }) => change)).toEqual(['added'])
})

test('a table with days limits prices in its time, and the exported table is the same one', async () => {
  const [bronco, quoted] = [fresh('Bronco'), fresh('Quo"ted, one')]
  const vehicle = await addVehicle(bronco, 2_000_000)
  const table = fresh('MAP days')
  const text = [
    'Year,Make,Model,Trim,Lowest price,Effective date,End date',
    `2026,Ford,${bronco},,22000,1/1/2020,12/31/2020`,
    `2026,Ford,${bronco},,23000,2021-01-01,`,
    `,Ford,"${quoted.replace('"', '""')}",XL,24000.50,,2099-06-30`,
  ].join('\n')
  await admin.call(ruleFiles.importLowest, { text, table, isTrial: false, confirmPrices: true })
  expect(await sellingPrice(vehicle)).toBe(2_300_000)
  const wrong = `Make,Model,MAP,From,Until\nFord,${bronco},1,2026-02-30,\nFord,${bronco},1,2026-03-01,2026-02-01\n`
  const fields = await fieldsOf(admin.call(ruleFiles.importLowest, { text: wrong, table, isTrial: true }))
  expect(fields['text']).toContain('Line 2: "2026-02-30" isn\'t a valid date.')
  expect(fields['text']).toContain('Line 3')
  expect(fields['text']).toContain('The end must be after the start.')

  const tables = await admin.call(ruleFiles.exportLowest, {})
  const exported = tables.find((one) => one.table === table)
  expect(exported?.lines).toBe(3)
  const again = { text: exported?.text ?? '', table, isTrial: true }
  expect(await admin.call(ruleFiles.importLowest, again)).toMatchObject({ rules: [], same: 3 })
})

test('a table whose dates may be day-first or month-first is asked about', async () => {
  const bronco = fresh('Bronco')
  const table = fresh('MAP order')
  const tableOf = (...days: string[]) =>
    ['Make,Model,Lowest price,From', ...days.map((day, at) => `Ford,${bronco},${22_000 + at},${day}`)].join(
      '\n',
    )
  const namesOf = async (text: string, dateOrder?: 'mdy' | 'dmy') =>
    (
      await admin.call(ruleFiles.importLowest, {
        text,
        table,
        isTrial: true,
        ...(dateOrder && { dateOrder }),
      })
    ).rules
      .map(({ name }) => name.slice(-10))
      .toSorted()
  const unclear = tableOf('03/11/2026', '04/11/2026')
  expect(
    await fieldsOf(admin.call(ruleFiles.importLowest, { text: unclear, table, isTrial: true })),
  ).toMatchObject({ dateOrder: expect.stringContaining('“03/11/2026” may be two days.') })
  expect(await namesOf(unclear, 'dmy')).toEqual(['2026-11-03', '2026-11-04'])
  expect(await namesOf(unclear, 'mdy')).toEqual(['2026-03-11', '2026-04-11'])
  // Another line proves it, whatever was chosen for another file.
  expect(await namesOf(tableOf('03/11/2026', '13/11/2026'), 'mdy')).toEqual(['2026-11-03', '2026-11-13'])
})

test('lines of a table that make no sense are listed, and other files are refused', async () => {
  const text =
    'Year,Make,Model,Trim,Lowest price\n2026,Ford,,XL,100\n26,Ford,Ranger,,100\n2026,Ford,Ranger,,-5\n2026,Ford,"Ran""ger\\",,500\n2026,Ford,Ranger,,call us\n'
  const fields = await fieldsOf(admin.call(ruleFiles.importLowest, { text, table: 'MAP', isTrial: true }))
  for (const part of [
    'Line 2: make and model are required.',
    'Line 3: "26" is not a model year.',
    'Line 4: the minimum price must be an amount above 0.',
    'Line 6: the minimum price must be an amount above 0.',
  ])
    expect(fields['text']).toContain(part)
  expect(fields['text']).not.toContain('Line 5')
  const refused = await fieldsOf(
    admin.call(ruleFiles.importLowest, { text: 'a,b\n1,2\n', table: 'MAP', isTrial: true }),
  )
  expect(refused['text']).toBe('The file must have the columns Make, Model and Minimum price.')
})

test('users of one organization import and export rules of its lots only', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const lotId = await place.addLot()
  const { code } = await admin.call(lots.get, { id: lotId })
  const rule = { name: fresh('Own'), kind: 'discount', cents: 100 }
  await admin.call(pricingRules.add, {
    name: 'Group',
    kind: 'discount',
    cents: 100,
    confirmEvery: true,
    confirmPrices: true,
  })
  const text = fileOf([{ ...rule, lots: [code] }])
  expect(await dealer.call(ruleFiles.import, { text, isTrial: true })).toMatchObject({
    rules: [{ change: 'added' }],
  })
  const everywhere = await fieldsOf(dealer.call(ruleFiles.import, { text: fileOf([rule]), isTrial: true }))
  expect(everywhere['text']).toContain('name the lots of your organization.')
  const theirs = await fieldsOf(
    dealer.call(ruleFiles.import, {
      text: fileOf([{ ...rule, name: 'group', lots: [code] }]),
      isTrial: true,
    }),
  )
  expect(theirs['text']).toContain('applies to lots of other organizations')
})
