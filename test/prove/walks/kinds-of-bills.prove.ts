import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { billImporter, csv, DAY } from '#test/factories/carbon/imported-bill.ts'
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

const imported = billImporter(() => ({ forecourt, ford, admin }))

test.each([
  ['Product Description', 'UNLEADED', ['DIESEL', 'AdBlue', 'CAR WASH']],
  ['Produkt', 'Super E10', ['Diesel', 'Scheibenreiniger', 'Autowäsche']],
])('what a fuel card bought beside the fuel is asked about, by %s', async (title, own, others) => {
  const one = await importWorld(forecourt, ford, admin)
  const lines = [own, ...others].map((word, at) => `7081,2025-03-0${at + 1},${word},1${at},gal,${at + 20}`)
  const text = csv(`Card Number,Transaction Date,${title},Units,Unit of Measure,Net Cost`, lines)
  const options = { sourceId: one.cars }
  const { questions } = await one.preview(text, options)
  const open = questions.flatMap(({ id, answer }) => (answer === null ? [id] : []))
  expect(open).toEqual(others.map((word) => `product:${word.toLowerCase()}`))
  await one.bring(text, Object.fromEntries(open.map((id) => [id, 'leave'])), options)
  expect(await one.records()).toMatchObject([{ quantity: '10', unit: 'gallon', cost: '20' }])
})

test('lines of a bill that charge taxes by the same kilowatt-hours are asked about', async () => {
  const text = csv(
    'Position;Von;Bis;Menge;Einheit;Preis;Betrag',
    ...['Arbeit HT;1.000,5', 'Arbeit NT;400,5', 'Stromsteuer;1.401,0'].map(
      (line) => line.replace(';', ';01.03.2025;31.03.2025;') + ';kWh;0,2;10,00',
    ),
  )
  const answers = {
    'product:arbeit ht': 'count',
    'product:arbeit nt': 'count',
    'product:stromsteuer': 'leave',
  }
  expect((await imported(text)).asked).toEqual(Object.keys(answers))
  expect((await imported(text, answers)).stored).toEqual(['2025-03-01 1000.5', '2025-03-01 400.5'])
})

test('a file with electricity and gas is remembered for each of them', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const text = csv(
    'Bill start,Bill end,Electric Usage (kWh),Gas Usage (therms),Electric Cost,Gas Cost',
    '2025-03-01,2025-03-31,1500,80,200,120',
  )
  for (const sourceId of [one.power, one.gas, one.power, one.gas]) {
    const { columns } = (await one.preview(text, { sourceId })).mapping
    expect(columns).toMatchObject(
      sourceId === one.power ? { quantity: 2, cost: 4 } : { quantity: 3, cost: 5 },
    )
    await one.bring(text, {}, { sourceId })
  }
  expect((await one.records()).map(({ quantity, unit }) => `${quantity} ${unit}`).toSorted()).toEqual([
    '1500 kWh',
    '80 therm',
  ])
})

test.each([
  [
    'Elec kWh,Gas Therms,Water CCF,Elec Charges,Gas Charges,Water Charges,Total Due',
    '1500,80,12,200,120,60,380',
    { quantity: '1500', cost: '200' },
    { quantity: '80', cost: '120' },
  ],
  [
    'Strom kWh,Gas m3,Strom (€),Gas (€),Gesamtbetrag (€)',
    '1500,800,420,700,1120',
    { quantity: '1500', cost: '420' },
    { quantity: '800', cost: '700' },
  ],
])(
  'of a bill for several kinds of energy, %s, each source gets its own',
  async (titles, values, power, gas) => {
    const one = await importWorld(forecourt, ford, admin)
    const text = csv(`From,To,${titles}`, `2025-03-01,2025-03-31,${values}`)
    for (const [sourceId, expected] of [
      [one.power, power],
      [one.gas, gas],
    ] as const) {
      await one.bring(text, {}, { sourceId })
      const own = (await one.records()).filter((record) => record.sourceId === sourceId)
      expect(own).toMatchObject([expected])
    }
  },
)

test.each([
  ['Transaction Type', 'Purchase', 'Refund'],
  ['Vorgang', 'Tankung', 'Erstattung'],
  ['Type', 'Sale', 'Return'],
])('what a card got back is asked about, by %s', async (title, bought, returned) => {
  const one = await importWorld(forecourt, ford, admin)
  const text = csv(
    `Date,${title},Gallons,Amount`,
    `2025-03-01,${bought},10,35`,
    `2025-03-02,${returned},10,35`,
  )
  const options = { sourceId: one.cars }
  const { questions } = await one.preview(text, options)
  expect(questions.flatMap(({ id, answer }) => (answer === null ? [id] : []))).toContain(
    `word:${returned.toLowerCase()}`,
  )
})

test.each([
  ['Product', 'UNLEADED REGULAR', 'Gas Oil'],
  ['Prodotto', 'Benzina', 'Gasolio'],
  ['Fuel Type', 'REG', 'DEF'],
  ['Produktbezeichnung', 'Eurosuper', 'HVO100'],
  ['Product Code', 'ULP', 'DRV'],
  ['Sorte', 'Super 95', 'Diesel'],
  ['Combustível', 'Gasolina', 'Gasóleo'],
])(
  'of %s, only the fuel of the source counts without a question, and nothing is refused',
  async (title, own, other) => {
    const one = await importWorld(forecourt, ford, admin)
    const text = csv(`Date,${title},Gallons,Amount`, `2025-03-01,${own},10,35`, `2025-03-02,${other},40,150`)
    const { questions, refused } = await one.preview(text, { sourceId: one.cars })
    const open = questions.flatMap(({ id, answer }) => (answer === null ? [id] : []))
    expect([open.includes(`product:${other.toLowerCase()}`), refused]).toEqual([true, 0])
  },
)

test.each([
  ['Ligne', 'Consommation HP', 'Accise sur l’électricité'],
  ['Voce', 'F1', 'Accisa'],
  ['Position', 'Arbeit', 'Konzessionsabgabe'],
])('a tax by the kilowatt-hour is asked about, by %s', async (title, own, tax) => {
  const text = csv(
    `${title},From,To,kWh`,
    `${own},2025-03-01,2025-03-31,1000`,
    `${tax},2025-03-01,2025-03-31,1500`,
  )
  expect((await imported(text)).asked).toContain(`product:${tax.toLowerCase()}`)
})

test('the half hours of the Irish network are uses, and numbered half hours in columns too', async () => {
  const halves = Array.from({ length: 48 }, (_, at) => {
    const end = new Date(Date.UTC(2025, 5, 1, 0, (at + 1) * 30)).toISOString()
    return `10000000001,22,0.5,Active Import Interval (kWh),${end.slice(8, 10)}-${end.slice(5, 7)}-2025 ${end.slice(11, 16)}`
  })
  const esb = await imported(
    csv('MPRN,Meter Serial Number,Read Value,Read Type,Read Date and End Time', halves),
    { order: 'dmy', stamp: 'end' },
  )
  expect(esb.stored).toEqual(['2025-06-01 24'])
  const wide = csv(
    ['MPAN', 'Direction', 'Date', ...Array.from({ length: 48 }, (_, at) => `HH${at + 1}`)].join(','),
    ['2000001', 'Import', DAY, ...Array.from({ length: 48 }, () => '0.5')].join(','),
  )
  expect((await imported(wide)).stored).toEqual([`${DAY} 24`])
})

test('a cost below 0 beside a use is asked about', async () => {
  const bill = (number: string, values: string) => `${number},2025-03-01,2025-03-31,${values}`
  const text = csv(
    'Bill no,From,To,kWh,Amount ($)',
    bill('1', '700,70'),
    bill('2', '700,-70'),
    bill('3', '650,65'),
  )
  expect((await imported(text)).asked).toEqual(['negativeCost'])
  const { records } = await imported(text, { negativeCost: 'subtract' })
  expect(records.map(({ quantity, cost }) => `${quantity} ${cost}`).toSorted()).toEqual([
    '-700 -70',
    '650 65',
    '700 70',
  ])
})

test('a register that is the sum of the others in one line is no total', async () => {
  for (const titles of ['F1 (kWh),F2 (kWh),F3 (kWh)', 'Peak (kWh),Shoulder (kWh),Off-Peak (kWh)']) {
    const text = csv(`From,To,${titles}`, '2025-03-01,2025-03-31,150,150,300')
    expect((await imported(text)).asked).toEqual(['quantity'])
    expect((await imported(text, { quantity: '2+3+4' })).stored).toEqual(['2025-03-01 600'])
  }
})

test('the currency of a heading tells files apart', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (unit: string, day: string) => csv(`From,To,kWh,Cost (${unit})`, `${day},${day},10,20`)
  await one.bring(file('cents', '2025-03-01'))
  await one.bring(file('$', '2025-03-02'))
  const costs = (await one.records()).map(({ periodStart, cost }) => `${periodStart} ${cost}`)
  expect(costs.toSorted()).toEqual(['2025-03-01 null', '2025-03-02 20'])
})

test.each([
  ['Document Type', 'Bill', 'Bill Reversal'],
  ['D/C', 'D', 'C'],
  ['DR/CR', 'DR', 'CR'],
  ['Sign', '+', '-'],
  ['Doc Type', 'INV', 'CRN'],
  ['Belegart', 'RE', 'GS'],
  ['State', 'Active', 'Obsolete'],
  ['Bill Status', 'Final', 'Rebilled'],
])('a word that is none of an ordinary bill is asked about, below %s', async (title, bill, other) => {
  const line = (word: string, month: string, use: number) =>
    `${word},2025-${month}-01,2025-${month}-28,${use}`
  const text = csv(
    `${title},From,To,kWh`,
    line(bill, '03', 1000),
    line(other, '04', 400),
    line(bill, '05', 950),
  )
  const id = `word:${other.toLowerCase()}`
  expect((await imported(text)).asked).toEqual([id])
  const { records } = await imported(text, { [id]: 'subtract' })
  expect(records.map(({ quantity }) => Number(quantity)).toSorted((a, b) => a - b)).toEqual([-400, 950, 1000])
})

test('a register of all tariffs is not added to its parts, and a register below it is no reading of its own', async () => {
  const lines = ['1-1:1.8.1,1000', '1-1:1.8.2,400', '1-1:1.8.0,1400'].map((line) => {
    const [code = '', use = ''] = line.split(',')
    return `7,2025-03-01,2025-03-31,${code},${use}`
  })
  expect((await imported(csv('Zähler,Von,Bis,OBIS,Verbrauch kWh', lines))).stored).toEqual([
    '2025-03-01 1400',
  ])
})

test.each([
  ['Fornitura', 'Energia elettrica', 'Gas naturale'],
  ['Tipo suministro', 'Luz', 'Gas'],
  ['Soort energie', 'Elektriciteit', 'Warmte'],
  ['Fluide', 'Électricité', 'Gaz'],
  ['Concepto', 'Energía P1', 'Peajes energía'],
])('another kind of energy or a network charge is asked about, below %s', async (title, own, other) => {
  const text = csv(
    `${title},From,To,kWh`,
    `${own},2025-03-01,2025-03-31,1500`,
    `${other},2025-04-01,2025-04-30,2344`,
  )
  expect((await imported(text)).asked).toContain(`product:${other.toLowerCase()}`)
})

test.each([
  ['Discount ($),Net Amount ($)', '5,100', '100'],
  ['Gross,Discount,Net', '105,5,100', '100'],
  ['Credits ($),Net Charges ($)', '5,100', '100'],
  ['Interest ($),Net Amount ($)', '5,100', '100'],
])('of %s, what is taken off is no cost', async (titles, values, cost) => {
  const { records } = await imported(csv(`From,To,kWh,${titles}`, `2025-03-01,2025-03-31,1000,${values}`))
  expect(records).toMatchObject([{ quantity: '1000', cost }])
})

test('the readings of two registers are not taken for one', async () => {
  const text = csv(
    'PDL;Du;Au;Ancien index HP;Nouvel index HP;Ancien index HC;Nouvel index HC',
    '1;01/03/2025;31/03/2025;1000;2000;500;900',
  )
  expect((await imported(text)).stored).toEqual([])
})

test.each([
  ['power', 'Status', 'Billed', ['Electric bill canceled', 'Energy charge reversed']],
  ['power', 'Type', 'Electric usage', ['Electric usage - void', 'Usage reversed']],
  ['power', 'Type', 'Electric bill', ['Electric bill (void)', 'Corrected electric bill']],
  ['power', 'Type', 'Electric', ['Electric - canceled', 'Electric cancel']],
  ['power', 'Charge type', 'Delivery', ['Delivery canceled']],
  ['power', 'Document', 'Electricity invoice', ['Electricity invoice cancellation']],
  ['power', 'Description', 'Electricity', ['Electricity credit', 'Electricity (canceled)']],
  ['power', 'Description', 'Electric service', ['Reversal of electric service']],
  ['power', 'Service', 'Electric', ['Electric Reversal']],
  ['power', 'Usage type', 'Billed', ['Billed (corrected)']],
  ['gas', 'Status', 'Issued', ['Gas bill reversed', 'Gas invoice void', 'Gas bill canceled']],
  ['gas', 'Type', 'Natural gas', ['Natural gas - canceled']],
  ['gas', 'Status', 'Delivered', ['Delivery canceled']],
] as const)(
  'a bill of %s that says more below %s than “%s” is asked about: %s',
  async (of, title, own, others) => {
    const one = await importWorld(forecourt, ford, admin)
    const sourceId = of === 'power' ? one.power : one.gas
    for (const other of others) {
      const lines = [own, own, own, other, own].map(
        (word, at) => `B${at},2025-0${at + 1}-01,2025-0${at + 1}-28,9${at * 7}1,${word}`,
      )
      const text = csv(`Bill,From,To,${of === 'power' ? 'kWh' : 'Therms'},${title}`, lines)
      const { questions } = await one.preview(text, { sourceId })
      const open = questions.filter(({ answer }) => answer === null).map(({ id }) => id)
      expect({ other, open }).toEqual({ other, open: [`word:${other.toLowerCase()}`] })
    }
  },
)
