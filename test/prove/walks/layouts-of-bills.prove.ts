import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
import {
  askedImporter,
  bill,
  DAYS,
  BILL_SOURCES,
  type BillSource,
} from '#test/factories/carbon/asked-bill.ts'
import { importWorld } from '#test/factories/carbon/import-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const imported = askedImporter(() => ({ forecourt, ford, admin }))

test.for<[string, string[]]>([
  ['Charge Added (lb),Recovered (lb)', []],
  ['Refrigerant Charge (lb),Recovered (lb)', []],
  ['Recovered (lb),Leak Rate', []],
  ['Charge (lb),Technician', ['6.5 lb', '4 lb']],
])('what was recovered (%s) is no leak', async ([head, stored]) => {
  const text = csv(`Service Date,Refrigerant,${head}`, '01/15/2025,R-134a,6.5,0', '03/22/2025,R-134a,4.0,2.5')
  const found = await imported(text, { to: 'refrigerant', answers: { date: 'day' } })
  expect(found.stored).toEqual(stored)
  expect(found.asked.includes('quantity')).toBe(stored.length === 0)
})

test.for([
  'Fuel (Imp. gallons)',
  'Gallons (UK)',
  'Volume Gallons (UK)',
  'Imperial gal',
  'Volume (imperial gallons)',
  'UK gals delivered',
])('imperial gallons (%s) are no US gallons', async (head) => {
  const { stored, asked } = await imported(bill(head, '100'), { to: 'water' })
  expect({ stored, asked }).toEqual({ stored: ['100 imperial gallon'], asked: [] })
})

test.for([
  ['"Weight (tons, metric)"', 't'],
  ['Tons (short)', 'short ton'],
  ['Short tons', 'short ton'],
  ['Tons (long)', 'long ton'],
])('a heading says which ton it is: %s', async ([head = '', unit = '']) => {
  const { stored, asked } = await imported(bill(head, '12'), { to: 'waste' })
  expect({ stored, asked }).toEqual({ stored: [`12 ${unit}`], asked: [] })
})

test.for([
  'M\u00eas/Ano',
  'Gas Month',
  'Reading Month',
  'Month Ending',
  'Consumption Month',
  'Read Date',
  '\u5e74\u6708',
])('months (%s) are periods', async (head) => {
  const text = csv(
    `${head},kWh`,
    ...['01', '02', '03', '04'].map((month, at) => `2025-${month},${3010 + at * 110}`),
  )
  const { stored, asked } = await imported(text)
  expect({ stored, asked }).toEqual({ stored: ['3010 kWh', '3120 kWh', '3230 kWh', '3340 kWh'], asked: [] })
})

test('uses that fall from month to month are no readings', async () => {
  const text = csv(
    'Read date,kWh',
    ...['4512', '4433', '4398', '4310'].map((use, at) => `2025-0${at + 1}-15,${use}`),
  )
  expect((await imported(text, { answers: { date: 'read' } })).asked).not.toContain('register')
})

test('figures as India writes them are read, and a column that can not be read is offered by its heading', async () => {
  const indian = await imported(bill('Units Consumed (kWh)', '"1,23,456"', '"98,765"'))
  expect(indian).toMatchObject({ stored: ['123456 kWh', '98765 kWh'], asked: [] })
  const { asked, stored } = await imported(
    csv('Service Date,RO,Amount Charged', '01/15/2025,55001,1 lb 4 oz', '01/16/2025,55002,12 oz'),
    { to: 'refrigerant' },
  )
  expect({ stored, asked }).toMatchObject({ stored: [] })
})

test.for<[BillSource, string, string, string[]]>([
  ['power', 'Contract start,Contract end,Month,kWh', '01/01/2025,12/31/2025,Jan 2025,3100', ['3100 kWh']],
  ['power', 'Monat;Eigenverbrauch (kWh);Netzbezug (kWh)', 'Jan 2025;312,5;4120,0', ['4120 kWh']],
  ['refrigerant', 'Month,Füllmenge (kg),Nachgefüllt (kg)', 'Jan 2025,12.5,1.2', ['1.2 kg']],
  ['water', 'Month;Menge bestellt (l);Geliefert (l)', 'Jan 2025;3600;3482,5', ['3482.5 L']],
  ['power', 'Month,kWh (000)', 'Jan 2025,31', ['31 MWh']],
  ['water', 'Month,Gallons (000)', 'Jan 2025,31', ['31 kgal']],
  ['power', 'Month,Day Rate (kWh),Night Rate (kWh)', 'Jan 2025,3000,100', []],
  ['power', 'Month,Energia injetada (kWh)', 'Jan 2025,3000', []],
  ['power', 'Fecha factura;Fecha vencimiento;kWh', '10/01/2025;10/02/2025;3000', []],
])('for %s, below %s only what was bought is stored', async ([to, head, line, stored]) => {
  const found = await imported(csv(head, line), { to })
  expect(found.stored).toEqual(stored)
  expect(found.asked.length > 0 || found.says !== '').toBe(stored.length === 0)
})

test.for([
  'Electricity consumption in thousands of kWh',
  'Monthly electricity report (kWh x 1000)',
  "All figures in '000 kWh",
  'Electricity use, kWh (thousands)',
  'Values in 1000 kWh',
])('a line above that says thousands (%s) is not passed over', async (title) => {
  const { stored, asked } = await imported(csv(title, 'Month,Consumption,Cost', 'Jan 2025,31.2,6200'))
  expect({ stored, asked }).toEqual({ stored: [], asked: [expect.stringMatching(/^unit/)] })
})

test('the energy of gas outside of the United States is gross or net', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { type, ...source } = BILL_SOURCES.gas
  const gas = await one.addSource({ ...source, facilityId: await one.addFacility({ country: 'GB' }) })
  await forecourt.owner.query('update emission_sources set source_type = $2, name = null where id = $1', [
    gas,
    type,
  ])
  const file = bill('Gas used (kWh)', '8282')
  const { first } = await one.bring(file, {}, { sourceId: gas })
  expect(first.questions).toMatchObject([{ id: 'calorificBasis', answer: null }])
  expect(first).toMatchObject({ ready: 0, open: 1 })
  await one.bring(file, { calorificBasis: 'gross' }, { sourceId: gas })
  expect(await one.records()).toMatchObject([{ quantity: '8282', calorificBasis: 'gross' }])
})

test.for<[BillSource, string, string, string]>([
  ['power', 'Usage (therms)', '1000', 'therms'],
  ['power', 'Consumption (Btu)', '1000', 'Btu'],
  ['power', 'Usage (kWh)', '52 therms', 'therms'],
  ['gas', 'Usage (gallons)', '1000', 'gallons'],
  ['gas', 'Consumption (lbs)', '1000', 'lbs'],
  ['gas', 'Usage (therms)', '1500 kWh', 'kWh'],
  ['diesel', 'Usage (CCF)', '1000', 'CCF'],
  ['diesel', 'Usage (m3)', '1000', 'm3'],
])('%s is not stored below %s with %s before someone said so', async ([to, head, value, word]) => {
  const { stored, asked } = await imported(bill(head, value), { to })
  expect({ stored, asked }).toEqual({ stored: [], asked: [`product:${word.toLowerCase()}`] })
})

test('what is beside a clear table is confirmed: a sheet with a name, and text below', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const head = ['Start Date', 'End Date', 'Usage (kWh)']
  const book = (name: string) =>
    writeXlsx({ sheets: [{ name, rows: [head, ['2025-01-01', '2025-01-31', 15]] }] })
  const isConfirmed = async (bytes: string | Uint8Array, file = 'bills.xlsx') =>
    (await one.preview(bytes, { file })).layout.isConfirmed
  expect(await isConfirmed(await book('Sheet1'))).toBe(true)
  expect(await isConfirmed(await book('Bills Jan 2025'))).toBe(true)
  expect(await isConfirmed(await book('Natural gas'))).toBe(false)
  const text = csv(head.join(','), '2025-01-01,2025-01-31,15')
  expect(await isConfirmed(text, 'bills.csv')).toBe(true)
  expect(await isConfirmed(`${text}\n* in thousands,,\n`, 'bills.csv')).toBe(false)
})

test('with no source open, a file that names none waits for a choice', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { mapping, ready } = await one.preview(bill('Usage (kWh)', '15'), { sourceId: null })
  expect({ source: mapping.sourceType, ready }).toEqual({ source: null, ready: 0 })
})

test('the last day of a month below "Month" is the whole month', async () => {
  const { stored } = await imported(csv('Month,Usage (kWh)', '2025-01-31,10', '2025-02-28,11'))
  expect(stored).toEqual(['10 kWh', '11 kWh'])
})

test.for(['1.5 MWh,50', '1400,0.3 MWh', '100 therms,50', '1400,-50', '-100,1000'])(
  '%s are not added',
  async (line) => {
    const { stored, says } = await imported(bill('Day kWh,Night kWh', line, '100,50'), {
      answers: { quantity: '2+3' },
    })
    expect(stored).toEqual(['150 kWh'])
    expect(says).toMatch(/one unit|below 0/)
  },
)

test('a line "Gas" between bills is not passed over', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { layout } = await one.preview(
    csv('From,To,Usage (kWh)', '2025-01-01,2025-01-31,15', 'Gas,,', '2025-02-01,2025-02-28,16'),
  )
  expect(layout).toMatchObject({ isConfirmed: false, notes: ['Gas'] })
})

test.for([
  ['Notes', 'natural gas bill', false],
  ['Notes', 'wrong, do not use', false],
  ['Account', 'Natural gas 9921', false],
  ['Meter', 'Solar', false],
  ['Invoice No', 'CREDIT-2', false],
  ['Invoice No', 'INV-77', true],
  ['Notes', 'actual', true],
] as const)('below %s, “%s” is clear: %s', async ([head, text, isConfirmed]) => {
  const one = await importWorld(forecourt, ford, admin)
  const { layout } = await one.preview(
    csv(`From,To,Usage (kWh),${head}`, `2025-01-01,2025-01-31,15,"${text}"`),
  )
  expect(layout).toMatchObject({ isConfirmed, notes: isConfirmed ? [] : [text] })
})

test('a gallon outside of the United States is asked about, unless it says which', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { type, ...source } = BILL_SOURCES.diesel
  const diesel = await one.addSource({ ...source, facilityId: await one.addFacility({ country: 'GB' }) })
  await forecourt.owner.query('update emission_sources set source_type = $2, name = null where id = $1', [
    diesel,
    type,
  ])
  const asked = async (head: string) =>
    (await one.preview(bill(head, '500'), { sourceId: diesel })).questions.map(({ id }) => id)
  expect(await asked('Usage (gallons)')).toEqual(['unit:gallons'])
  expect(await asked('Usage (UK gallons)')).toEqual([])
  expect(await asked('Usage (US gallons)')).toEqual([])
})

test.for([
  ['Usage (kWh),Unit', '1500,', '1.6,MWh'],
  ['Usage (kWh),Flow', '1500,Import', '500,Export'],
  ['Usage (kWh),Type', '1500,Actual', '500,Generation'],
  ['Usage (kWh),Customer', '1500,Northgate', '500,Berlin Branch'],
  ['Day kWh,Night kWh', '1500,', '1000,500'],
])(
  'what is new in the next file (%s: %s, then %s) is asked about or read',
  async ([head = '', first = '', next = '']) => {
    const one = await importWorld(forecourt, ford, admin)
    await one.bring(csv(`From,To,${head}`, `2025-01-01,2025-01-31,${first}`))
    const { layout, questions, shown } = await one.preview(
      csv(`From,To,${head}`, `2025-02-01,2025-02-28,${next}`),
    )
    const isAsked = !layout.isConfirmed || questions.some(({ answer }) => answer === null)
    expect(isAsked || shown.some(({ amount }) => amount?.unit === 'MWh')).toBe(true)
  },
)

test.for(['Account', 'Meter number', 'Site ID', 'MPAN', 'Vertragskonto', 'Premise'])(
  'bills of another %s may be of another place, so they are confirmed again',
  async (head) => {
    const one = await importWorld(forecourt, ford, admin)
    const month = (number: string, name: string) =>
      csv(`From,To,Usage (kWh),${head}`, `2025-${number}-01,2025-${number}-28,15,${name}`)
    expect((await one.bring(month('01', 'K-1'))).first.layout.isConfirmed).toBe(false)
    expect((await one.preview(month('02', 'K-1'))).layout.isConfirmed).toBe(true)
    expect((await one.preview(month('02', 'K-2'))).layout.isConfirmed).toBe(false)
  },
)

test('answers about the lines of one file are not used for the next one', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const quarter = (months: readonly string[]) =>
    csv(
      'From,To,Usage (kWh)',
      `2025-${months[0]}-01,2025-${months[0]}-28,100`,
      `2025-${months[1]}-01,2025-${months[1]}-28,120`,
      `2025-${months[0]}-01,2025-${months[1]}-28,220`,
    )
  const { first } = await one.bring(quarter(['01', '02']), { sums: 'count' })
  expect(first.questions.map(({ id }) => id)).toContain('sums')
  const next = await one.preview(quarter(['03', '04']))
  expect(next.questions).toMatchObject([{ id: 'sums', answer: null }])
  const twice = csv('From,To,Usage (kWh)', '2025-05-01,2025-05-31,100', '2025-05-01,2025-05-31,120')
  const { mapping } = await one.preview(twice)
  await one.add(twice, { ...mapping, leavesWarned: true })
  expect((await one.preview(twice)).mapping.leavesWarned).toBe(false)
})

test('the unit of a file without one is confirmed for each unit of its sources', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const water = async (unit: string) => {
    const facilityId = await one.addFacility({ country: unit === 'm3' ? 'GB' : 'US' })
    const id = await one.addSource({ ...BILL_SOURCES.water, unit, facilityId })
    await forecourt.owner.query('update emission_sources set source_type = $2, name = null where id = $1', [
      id,
      BILL_SOURCES.water.type,
    ])
    return id
  }
  const [here, there] = [await water('gallon'), await water('m3')]
  const month = (number: string) =>
    csv('Service From,Service To,Consumption', `2025-${number}-01,2025-${number}-28,1000`)
  await one.bring(month('01'), {}, { sourceId: here })
  expect((await one.preview(month('02'), { sourceId: here })).layout.isConfirmed).toBe(true)
  const other = await one.preview(month('02'), { sourceId: there })
  expect({ isConfirmed: other.layout.isConfirmed, sums: other.sums.map(({ unit }) => unit) }).toEqual({
    isConfirmed: false,
    sums: ['m3'],
  })
})

test.for([
  ['2025-02-01,2025-02-28,900,"A1', '2025-03-01,2025-03-31,950,A1', '2025-04-01,2025-04-30,990,A1'],
  ['2025-02-01,2025-02-28,900,"A1', '2025-03-01,2025-03-31,950,A1', '2025-04-01,2025-04-30,990,"A2"'],
  ['2025-02-01,2025-02-28,900,"A1', '2025-03-01,2025-03-31,950,A1"', '2025-04-01,2025-04-30,990,A1'],
])('a quote that is not closed in its cell takes no bills away: %s', async (lines) => {
  const one = await importWorld(forecourt, ford, admin)
  const { upload } = one
  const text = csv('From,To,Usage (kWh),Rate code', ...lines)
  const { message, statusCode } = await upload(activityImports.read, text)
  expect({ message, statusCode }).toMatchObject({
    message: expect.stringMatching(/^Line 2, column 4 begins with a quote/),
    statusCode: 400,
  })
})

test.for([
  ['General" MWh"', '15 MWh'],
  ['General\\ "MWh"', '15 MWh'],
  ['0\\ \\M\\W\\h', '15 MWh'],
  ['0" mwh "', '15 MWh'],
  ['0" (MWh)"', '15 MWh'],
  ['General', '15 kWh'],
])('a figure with the format %s is %s', async ([numFmt = '', wanted = '']) => {
  const head = ['Start Date', 'End Date', 'Usage', 'Cost']
  const book = await writeXlsx({
    sheets: [
      {
        name: 'Sheet1',
        rows: [head, ['2025-01-01', '2025-01-31', 15, 100]],
        cells: new Map([['1,2', { value: 15, style: { numFmt } }]]),
      },
    ],
  })
  expect((await imported(book)).stored).toEqual([wanted])
})

test('figures that are texts of a workbook are not read like its numbers', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const book = (rows: readonly (string | number)[][]) =>
    writeXlsx({ sheets: [{ name: 'Sheet1', rows: [['Von', 'Bis', 'kWh', 'Kosten'], ...rows] }] })
  const options = { file: 'bills.xlsx', usual: { decimal: ',', order: 'dmy' } as const }
  const amounts = async (rows: readonly (string | number)[][]) => {
    const { shown, questions } = await one.preview(await book(rows), options)
    const isAsked = questions.some(({ id, answer }) => id === 'decimal' && answer === null)
    return isAsked ? 'asked' : shown.map(({ amount }) => amount?.quantity)
  }
  const text = [
    ['01.01.2025', '31.01.2025', '1.500', 450.25],
    ['01.02.2025', '28.02.2025', '1.600', 460.5],
  ]
  expect(['asked', ['1500', '1600']]).toContainEqual(await amounts(text))
  const mixed = [
    ['01.01.2025', '31.01.2025', '1,234', 450.25],
    ['01.02.2025', '28.02.2025', 1342.5, 460.5],
  ]
  expect(['asked', ['1.234', '1342.5']]).toContainEqual(await amounts(mixed))
  const plain = await writeXlsx({
    sheets: [
      {
        name: 'Sheet1',
        rows: [
          ['From', 'To', 'kWh', 'Cost'],
          ['2025-01-01', '2025-01-31', '1.500', 100],
          ['2025-02-01', '2025-02-28', 1342.5, 100],
        ],
      },
    ],
  })
  const { questions } = await one.preview(plain, { file: 'bills.xlsx' })
  expect(questions).toMatchObject([{ id: 'decimal', answer: null }])
  expect(await amounts([['01.01.2025', '31.01.2025', 1.234, 450.25]])).toEqual(['1.234'])
})

test.for(['Consumption in Lakh kWh', 'Mio. kWh', 'Verbrauch (Millionen kWh)', 'Use in crores of kWh'])(
  'what a million or a lakh of a unit is (%s) is asked about',
  async (head) => {
    const { stored, asked } = await imported(bill(head, '10'))
    expect(stored).toEqual([])
    expect(asked.some((id) => id.startsWith('unit:') || id === 'quantity')).toBe(true)
  },
)

test('a total that was rounded is asked about', async () => {
  const { asked } = await imported(
    csv(
      'From,To,Usage (kWh)',
      '2025-01-01,2025-01-31,100.4',
      '2025-02-01,2025-02-28,110.4',
      '2025-01-01,2025-02-28,211',
    ),
  )
  expect(asked).toEqual(['sums'])
})

test.for([
  ['000123', '123'],
  ['#000123', '123'],
  ['I-1', 'i-1'],
  ['12.0', '12'],
  ['No. 12', '12'],
  ['Invoice 12', '12'],
  ['Ａ12', 'A12'],
])('bill %s is the same as bill %s', async ([before = '', after = '']) => {
  const one = await importWorld(forecourt, ford, admin)
  const text = (number: string) =>
    csv('From,To,Usage (kWh),Invoice No', `2025-03-01,2025-03-31,100,${number}`)
  await one.bring(text(before))
  expect(await one.preview(text(after))).toMatchObject({ ready: 0, known: 1, questions: [] })
})

test.for([
  ['Service From,Service To,Energie +A (kWh)', 'Service From,Service To,Energie -A (kWh)'],
  ['Service From,Service To,Energy (+) kWh', 'Service From,Service To,Energy (-) kWh'],
  ['Service From,Service To,kWh +', 'Service From,Service To,kWh -'],
  ['Service From,Service To,A+ kWh', 'Service From,Service To,A- kWh'],
  ['Service From,Service To,kWh', 'Service From,Service To,- kWh'],
  ['Service From,Service To,kWh [+]', 'Service From,Service To,kWh [−]'],
  ['Service From,Service To,kWh →', 'Service From,Service To,kWh ←'],
  ['From,To,kWh', 'From,To,kWh ↑'],
  ['From,To,kWh', 'From,To,kWh ‰'],
])('what was sent back is no use of the same layout: %s, then %s', async ([before = '', after = '']) => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(csv(before, '2025-01-01,2025-01-31,900'))
  const next = await one.preview(csv(after, '2025-02-01,2025-02-28,900'))
  expect(next.layout.isConfirmed).toBe(false)
})

test.for([
  ['Multiplier', '1', '40'],
  ['CT ratio', '1', '40'],
  ['Scaling factor', '1', '1000'],
  ['powerOfTenMultiplier', '0', '3'],
  ['Sign', '+', '-'],
  ['Dr/Cr', 'DR', 'CR'],
  ['Flow direction', '1', '19'],
  ['Estimated', 'N', 'Y'],
  ['is_export', '0', '1'],
  ['Bill mult', '1', '40'],
  ['Net metering', '0', '1'],
  ['Cost scale', '1', '1000'],
  ['Kennzahl', '1-1:1.8.0', '1-1:2.8.0'],
  ['Wandlerfaktor', '1', '50'],
  ['Coeff.', '1', '60'],
  ['Suffix', 'E1', 'B1'],
  ['ICP', '0001', '0002'],
  ['Abnahmestelle', 'A', 'B'],
  ['Read type', 'A', 'E'],
])('another value of “%s” is confirmed again: %s, then %s', async ([head = '', before = '', after = '']) => {
  const one = await importWorld(forecourt, ford, admin)
  const month = (number: string, value: string) =>
    csv(
      `Service From,Service To,Energy Used (kWh),${head}`,
      `2025-${number}-01,2025-${number}-28,900,${value}`,
    )
  await one.bring(month('01', before))
  const open = ({ layout, questions }: Awaited<ReturnType<typeof one.preview>>) =>
    !layout.isConfirmed || questions.some(({ answer }) => answer === null)
  expect(open(await one.preview(month('02', before)))).toBe(false)
  const next = await one.preview(month('02', after))
  expect(open(next) || next.shown.some(({ state }) => state !== 'ready')).toBe(true)
})

test('a cost in a currency that nobody named is not kept', async () => {
  const { costs } = await imported(csv('From,To,kWh,Cost ₫', '2025-01-01,2025-01-31,900,45'))
  expect(costs).toEqual([null])
})

test.for(['45 kr', '45 Kč', '45 kn', 'R 45'])('a cost of %s is not kept in dollars', async (cost) => {
  const { costs, stored } = await imported(csv('From,To,kWh,Cost', `2025-01-01,2025-01-31,900,${cost}`))
  expect({ costs, stored }).toEqual({ costs: [null], stored: ['900 kWh'] })
})

test('the currency of a file that names none is not that of the next one, which has a sign', async () => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(csv('From,To,kWh,Cost', '2025-01-01,2025-01-31,900,45'), { currency: 'USD' })
  const next = await one.preview(csv('From,To,kWh,Cost (₹)', '2025-02-01,2025-02-28,900,4500'))
  expect(next.questions.filter(({ id }) => id === 'currency').every(({ answer }) => answer === null)).toBe(
    true,
  )
})

test('what differs from bill to bill does not ask again', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const month = (number: string, ...more: (string | number)[]) =>
    csv(
      'Service From,Service To,Energy Used (kWh),Invoice No,Days,Demand (kW),Avg temperature,Tax,Meter read date,Rate code',
      `2025-${number}-01,2025-${number}-28,900,${more.join(',')}`,
    )
  await one.bring(month('01', 'R-1', 28, 55.2, 41, 12.5, '2025-01-28', 'A1'))
  const { layout } = await one.preview(month('02', 'R-2', 27, 61, 44, 11, '2025-02-28', 'A1'))
  expect(layout.isConfirmed).toBe(true)
})

test('answers about a file with clear headings are not used for the next one', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const days = (first: string, last: string) => csv('Start,End,kWh', `${first},${last},600`)
  await one.bring(days('01/02/2025', '05/03/2025'), { order: 'dmy' })
  const next = await one.preview(days('06/03/2025', '07/04/2025'))
  expect(next.questions).toMatchObject([{ id: 'order', answer: null }])
})

test('costs without a currency, in a file or a layout that has foreign ones, are not in that of the organization', async () => {
  const { costs } = await imported(csv('From,To,kWh,Cost', `${DAYS[0]},100,€10`, `${DAYS[1]},110,11`))
  expect(costs).toEqual([null, null])
  const column = csv('From,To,kWh,Cost,Currency', `${DAYS[0]},100,10,EUR`, `${DAYS[1]},110,11,`)
  expect((await imported(column)).costs).toEqual([null, null])
  const one = await importWorld(forecourt, ford, admin)
  const month = (number: string, cost: string) =>
    csv('Ref id,Service From,Service To,Usage kWh,Cost', `R,2025-${number}-01,2025-${number}-28,900,${cost}`)
  await one.bring(month('01', '€10'))
  expect((await one.preview(month('02', '10'))).layout.isConfirmed).toBe(false)
})

test.for(['in MWh', 'GJ', 'x1000', 'x 40', '50%', '1/2'])('a remark “%s” is confirmed', async (remark) => {
  const one = await importWorld(forecourt, ford, admin)
  const { layout } = await one.preview(csv('From,To,kWh,Notes', `2025-01-01,2025-01-31,100,${remark}`))
  expect(layout.isConfirmed).toBe(false)
})

test('a meter is confirmed for the place that it is in', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const there = await one.addSource({
    activity: 'electricity/grid',
    scope: '2',
    unit: 'kWh',
    facilityId: await one.addFacility({ gridRegion: 'CAMX' }),
  })
  await forecourt.owner.query(
    "update emission_sources set source_type = 'electricity', name = null where id = $1",
    [there],
  )
  const month = (number: string) => csv('From,To,kWh,Meter', `2025-${number}-01,2025-${number}-28,100,M-1`)
  await one.bring(month('01'))
  expect((await one.preview(month('02'))).layout.isConfirmed).toBe(true)
  expect((await one.preview(month('02'), { sourceId: there })).layout.isConfirmed).toBe(false)
})

test('a figure with a footnote mark, or beside one that is struck through, is no number', async () => {
  const head = ['From', 'To', 'kWh']
  for (const font of [{ vertAlign: 'superscript' as const }, { strikethrough: true }]) {
    const richText = [{ text: '1200' }, { text: '1', font }]
    const book = await writeXlsx({
      sheets: [
        {
          name: 'Sheet1',
          rows: [head, ['2025-01-01', '2025-01-31', '12001']],
          cells: new Map([['1,2', { value: '12001', type: 'richText' as const, richText }]]),
        },
      ],
    })
    expect((await imported(book)).stored).toEqual([])
  }
})
