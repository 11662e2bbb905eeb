import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
import { askedImporter, bill, type BillSource, DAYS } from '#test/factories/carbon/asked-bill.ts'
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

const RIGHT = [
  '100 hundred ft3',
  '100 ccf',
  '100 kgal',
  '100 m3',
  '100 mmBtu',
  '100 Dth',
  '100 therm',
  '100 thousand gallon',
  '100 imperial gallon',
]
const isRightOrAsked = ({
  asked,
  stored,
}: {
  asked: readonly string[]
  stored: readonly string[]
}): boolean => (stored.length === 0 ? asked.length > 0 : RIGHT.includes(stored[0] ?? ''))

test.for<[BillSource, string]>([
  ['water', 'Usage (kL)'],
  ['water', 'kL used'],
  ['water', 'Usage (hL)'],
  ['water', 'Qty (IG)'],
  ['water', 'Usage (acre-feet)'],
  ['water', 'Usage (Mgal)'],
  ['water', 'Water used (kilolitres)'],
  ['water', 'Usage (100 gallons)'],
  ['water', 'Usage (1,000 gallons)'],
  ['water', 'Usage (gallons, 000)'],
  ['water', 'Usage (100 cubic feet)'],
  ['gas', 'Usage (100 cu ft)'],
  ['gas', 'Usage (10 therms)'],
  ['gas', 'Consumption (100,000 BTU)'],
  ['power', 'Consumo (MW/h)'],
  ['waste', 'Weight (100 lb)'],
  ['waste', 'Volume (cubic yards)'],
])('for %s, the heading %s is read with its number or asked about', async ([to, head]) => {
  const { asked, stored } = await imported(bill(head.includes(',') ? `"${head}"` : head, '100'), { to })
  expect({ asked, stored }).toSatisfy(isRightOrAsked)
})

test.for(['Volume', 'Gas Usage', 'Gas', 'Cubic Feet', 'Gas volume', 'Usage', 'Natural Gas'])(
  'the use of gas is asked about where a column %s beside kWh is of something else',
  async (head) => {
    const apart = await imported(bill(`kWh,${head}`, '1037,90', '1100,37'), { to: 'gas' })
    expect(apart).toMatchObject({ asked: ['quantity'], stored: [] })
  },
)

test.for(['Volume', 'Gas Usage', 'Gas'])(
  'a column %s beside the kWh of gas may be its volume',
  async (head) => {
    const same = await imported(bill(`kWh,${head}`, '1037,35', '1100,37'), { to: 'gas' })
    expect(same).toMatchObject({ asked: [], stored: ['1037 kWh', '1100 kWh'] })
  },
)

test('a line without use of this energy, whose use is in another column, is left out with its cost', async () => {
  const file = csv(
    'From,To,kWh,Therms,Cost',
    ...DAYS.flatMap((days) => [`${days},1870,0,200`, `${days},0,101,50`]),
  )
  expect(await imported(file)).toMatchObject({
    asked: [],
    stored: ['1870 kWh', '1870 kWh'],
    costs: ['200', '200'],
  })
  expect(await imported(file, { to: 'gas' })).toMatchObject({
    asked: [],
    stored: ['101 therm', '101 therm'],
    costs: ['50', '50'],
  })
})

test.for(['Electric Usage,Gas Usage,Cost', 'Usage,Gas Usage,Cost'])(
  'one cost beside two uses is of none of them, unless the user says so: %s',
  async (head) => {
    const { stored, costs } = await imported(bill(head, '1870,101,250', '1640,95,230'))
    expect({ stored, costs }).toEqual({ stored: ['1870 kWh', '1640 kWh'], costs: [null, null] })
  },
)

test.for(['"1,000 gallons"', '100 gallons', 'kL'])(
  'a unit cell %s is read with its number or asked about',
  async (cell) => {
    const { asked, stored } = await imported(bill('Usage,Unit', `100,${cell}`), { to: 'water' })
    expect({ asked, stored }).toSatisfy(isRightOrAsked)
  },
)

test.for([
  'Usage',
  'Total use',
  'Electric Usage',
  'Billed Consumption',
  'Verbrauch',
  'Consommation',
  'Consumo',
  'Quantity',
  'Use',
])('a heading %s, which names no unit, is read in that of the source', async (head) => {
  expect(await imported(bill(head, '1000', '900'))).toMatchObject({
    asked: [],
    stored: ['1000 kWh', '900 kWh'],
  })
})

/** A workbook whose figures have formats. */
const workbook = (
  formats: readonly (string | null)[],
  head: readonly string[],
  ...rows: (string | number | Date)[][]
) =>
  writeXlsx({
    sheets: [
      {
        name: 'Bills',
        rows: [[...head], ...rows],
        cells: new Map(
          rows.flatMap((row, line) =>
            row.flatMap((value, place) => {
              const numFmt = formats[place] ?? null
              return numFmt === null ? [] : [[`${line + 1},${place}`, { value, style: { numFmt } }] as const]
            }),
          ),
        ),
      },
    ],
  })

test('figures of a workbook have the unit and the currency of their format', async () => {
  const head = ['From', 'To', 'Usage', 'Cost']
  for (const [unit, expected] of [
    ['0.0 "MWh"', '12.5 MWh'],
    ['#,##0.0\\ "MWh"', '12.5 MWh'],
    ['#,##0.00', '12.5 kWh'],
  ] as const) {
    const book = await workbook([null, null, unit, null], head, ['2025-01-01', '2025-01-31', 12.5, 100])
    expect((await imported(book)).stored).toEqual([expected])
  }
  for (const money of ['#,##0.00 "€"', '[$€-407] #,##0.00', '"£"#,##0.00', '#,##0.00\\ "€"']) {
    const book = await workbook([null, null, null, money], head, ['2025-01-01', '2025-01-31', 100, 236.7])
    expect((await imported(book)).costs).toEqual([null])
  }
  const dollars = await workbook([null, null, null, '"$"#,##0.00'], head, [
    '2025-01-01',
    '2025-01-31',
    100,
    236.7,
  ])
  expect((await imported(dollars)).costs).toEqual(['236.7'])
})

test('days of a workbook that a spreadsheet of another country turned are asked about', async () => {
  const book = await workbook(
    [],
    ['From', 'To', 'kWh'],
    [new Date('2025-01-01T00:00:00Z'), '31/01/2025', 1000],
    [new Date('2025-01-02T00:00:00Z'), '28/02/2025', 900],
  )
  expect(await imported(book)).toMatchObject({ asked: ['turned'], stored: ['1000 kWh'] })
  expect((await imported(book, { answers: { turned: 'turned' } })).says).not.toContain('overlap')
})

test.for([
  ['Currency: EUR\n', 'Cost'],
  ['Alle Beträge in EUR\n', 'Cost'],
  ['', 'Betrag Fr.'],
  ['', 'Beløb (kr)'],
])('a cost in another currency, named %j or by %s, is not read as dollars', async ([above, title]) => {
  const { costs } = await imported(`${above}${bill(`kWh,${title}`, '1000,100')}`)
  expect(costs).toEqual([null])
})

test('a second table with other headings is refused, and loses nothing of the first', async () => {
  const first = csv('Meter A', 'From,To,kWh,Cost ($)', `${DAYS[0]},1000,100`)
  const second = csv('', 'Meter B', 'From,To,Cost ($),kWh', `${DAYS[1]},70,700`)
  const one = await imported(`${first}\n${second}`)
  expect(one.stored).toEqual(['1000 kWh'])
  expect(one.says).toContain('Line 6 starts another table with other headings')
  const other = await imported(
    csv('From,To,kWh', `${DAYS[0]},1000`, ',,', 'From,To,Demand (kW),kWh,Cost ($)', `${DAYS[1]},45,900,90`),
  )
  expect(other.stored).toEqual(['1000 kWh'])
  expect(other.says).toContain('another table')
  const again = await imported(csv('From,To,kWh', `${DAYS[0]},1000`, 'From,To,kWh', `${DAYS[1]},900`))
  expect(again.stored).toEqual(['1000 kWh', '900 kWh'])
})

test.for(['All', 'Ensemble', 'Building', 'Combined', ''])(
  'the sum of two meters that is called %j is asked about',
  async (name) => {
    const text = csv(
      'Meter,Month,kWh',
      ...['2025-01', '2025-02'].flatMap((month) => [
        `A,${month},1000`,
        `B,${month},500`,
        `${name},${month},1500`,
      ]),
    )
    const { asked, stored } = await imported(text)
    expect(asked).toEqual(['sums'])
    expect(stored).toHaveLength(4)
    expect((await imported(text, { answers: { sums: 'leave' } })).stored).toHaveLength(4)
    expect((await imported(text, { answers: { sums: 'count' } })).stored).toHaveLength(6)
  },
)

test('a quarter below its months is asked about, and months of growing use are not', async () => {
  const months = ['2025-01,1000', '2025-02,900', '2025-03,950']
  expect((await imported(csv('Month,kWh', ...months, 'Q1 2025,2850'))).asked).toEqual(['sums'])
  expect((await imported(csv('Month,kWh', ...months, '2025-04,2850'))).asked).toEqual([])
})

test.for<[BillSource, string, string[]]>([
  ['refrigerant', 'Date,Refrigerant,Quantity added (kg)', ['2025-03-01,R-134a,2.5', '2025-04-01,R-410A,3']],
  ['refrigerant', 'Date,Gas,kg', ['2025-03-01,R-134a,2.5', '2025-04-01,R-1234yf,3']],
  ['refrigerant', 'Datum,Kältemittel,kg', ['2025-03-01,R134a,2.5', '2025-04-01,R404A,3']],
  ['waste', 'From,To,Waste Type,Weight (lb)', [`${DAYS[0]},Cardboard,900`, `${DAYS[0]},Scrap metal,1500`]],
  ['waste', 'Service Date,Material,Tons', ['2025-01-03,MSW,3', '2025-01-04,Cardboard,1']],
  ['waste', 'Von,Bis,Abfallart,kg', [`${DAYS[0]},Restmüll,900`, `${DAYS[0]},Papier,500`]],
  ['power', 'From,To,Metric,Value', [`${DAYS[0]},kWh,1000`, `${DAYS[0]},kW,45`, `${DAYS[0]},Cost,100`]],
  ['power', 'From,To,Role,kWh', [`${DAYS[0]},Main,1500`, `${DAYS[0]},Check,1498`]],
])('kinds in a file for %s (%s) are asked about', async ([to, head, lines]) => {
  const { asked, stored } = await imported(csv(head, ...lines), { to, answers: { quantity: '3' } })
  expect(asked.length).toBeGreaterThan(0)
  expect(stored.length).toBeLessThan(lines.length)
})

test('another use for the same month without a number is asked about', async () => {
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(bill('kWh', '1000'))
  const { first } = await one.bring(bill('kWh', '1100'))
  expect(first.questions.find(({ id }) => id === 'sameDay')).toMatchObject({ answer: null })
  expect(await one.records()).toHaveLength(1)
  await one.bring(bill('kWh', '1100'), { sameDay: 'replace' })
  expect((await one.records()).map(({ quantity }) => quantity)).toEqual(['1100'])
})

test.for(['Billing month', 'Month', 'Period'])(
  'months such as 202501 below %s are periods',
  async (title) => {
    const { stored } = await imported(csv(`${title},kWh,Total Bill`, '202501,1000,100', '202502,900,90'))
    expect(stored).toEqual(['1000 kWh', '900 kWh'])
  },
)

test.for([
  ['Volume,Volume Unit,Energy (kWh)', '100,m3,1122.1'],
  ['Usage (kWh),Unit', '5,MWh'],
])('a unit column beside a heading with another unit (%s) is asked about', async ([head, values]) => {
  const { asked, stored } = await imported(bill(head ?? '', values ?? ''), { to: 'gas' })
  expect(stored).toEqual([])
  expect(asked.some((id) => id.startsWith('unit:') || id === 'quantity')).toBe(true)
})

test.for([
  ['All values in MWh\n', ''],
  ['Electricity consumption (MWh)\n', ''],
  ['', '\nUsage in MWh'],
])('a unit that only a line beside the table names is asked about', async ([above, below]) => {
  const { asked, stored } = await imported(`${above}${bill('Usage', '12.5', '11')}${below}`)
  expect(asked).toHaveLength(1)
  expect(stored).toEqual([])
})

test('blank cells below a site are asked about, and are then those of the line above', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const other = await one.addFacility({ gridRegion: 'CAMX' })
  await forecourt.owner.query("update facilities set name = 'Annex of bills' where id = $1", [other])
  await one.addSource({ activity: 'electricity/grid', scope: '2', unit: 'kWh', facilityId: other })
  await forecourt.owner.query(
    "update emission_sources set source_type = 'electricity', name = null where facility_id = $1",
    [other],
  )
  const text = csv('Site,From,To,kWh', `Annex of bills,${DAYS[0]},1000`, `,${DAYS[1]},900`)
  const { first } = await one.bring(text)
  expect(first.questions.find(({ id }) => id === 'blank:facility')).toMatchObject({ answer: null })
  await one.bring(text, { 'blank:facility': 'above' })
  expect((await one.records()).map(({ facilityName }) => facilityName)).toEqual([
    'Annex of bills',
    'Annex of bills',
  ])
})

test.for<[BillSource, string, string, string]>([
  ['power', '', 'Gas (kWh)', '1000'],
  ['power', '', 'Heat (kWh)', '1000'],
  ['water', '', 'Sewer (CCF)', '10'],
  ['gas', '', 'Water (ccf)', '10'],
  ['gas', 'Electricity consumption 2025\n', 'Usage', '10'],
])(
  'for %s, %jand the heading %s, which name another energy, are asked about',
  async ([to, above, head, value]) => {
    const { asked, stored } = await imported(`${above}${bill(head, value)}`, { to })
    expect(asked.length).toBeGreaterThan(0)
    expect(stored).toEqual([])
  },
)

test.for([
  ['Nature', 'Facture', 'Note de crédit'],
  ['Libellé document', 'Facture', 'Note de crédit'],
  ['Clase', 'Factura', 'Rectificativa'],
  ['Documento', 'Fattura', 'Nota credito'],
  ['Direction', 'Consumption', 'Feed-in'],
  ['Flow', 'In', 'Out'],
  ['Richtung', 'Bezug', 'Rücklieferung'],
  ['Channel', 'From grid', 'To grid'],
  ['Soort nota', 'Voorschot', 'Jaarafrekening'],
  ['Excluded', 'no', 'yes'],
  ['Counted', 'yes', 'no'],
  ['Test', 'no', 'yes'],
  ['Cancelled On', '', '2025-03-01'],
  ['Storno am', '', '01.03.2025'],
  ['Remarks', 'ok', 'CANCELLED - see bill 3'],
  ['Tipo consumo', 'Effettivo', 'Stimato'],
])(
  'a column %s whose words may say that a line does not count is asked about',
  async ([title, one, other]) => {
    const { asked, stored } = await imported(
      csv(`From,To,kWh,${title}`, `${DAYS[0]},1000,${one}`, `${DAYS[1]},900,${other}`),
    )
    expect(asked).toHaveLength(1)
    expect(stored.length).toBeLessThan(2)
  },
)

test('of a truck that was weighed full and empty, the difference counts', async () => {
  const head = 'From,To,Gross Weight (lb),Tare Weight (lb),Net Weight (lb)'
  const { stored } = await imported(csv(head, `${DAYS[0]},32000,25000,7000`), { to: 'waste' })
  expect(stored).toEqual(['7000 lb'])
})

test('two days of reading are the period, also beside a month', async () => {
  const head = 'Mês de referência;Leitura anterior;Leitura atual;Consumo (kWh)'
  const one = await importWorld(forecourt, ford, admin)
  await one.bring(csv(head, '01/2025;02/01/2025;13/01/2025;2.000,5', '02/2025;14/01/2025;01/03/2025;1.880,5'))
  expect((await one.records()).map(({ periodStart }) => periodStart).toSorted()).toEqual([
    '2025-01-02',
    '2025-01-14',
  ])
})

test.for(['Weight (tons)', 'Tonnage', 'Net Tons', 'Tons'])(
  'a quantity of containers beside %s is asked about',
  async (head) => {
    const { asked, stored } = await imported(bill(`Containers,Quantity,${head}`, '2,2,3.25', '2,2,3.1'), {
      to: 'waste',
    })
    expect(stored).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
  },
)

test.for([
  [
    'Mês/Ano;Data leitura anterior;Data leitura atual;Consumo Total (kWh)',
    '01/2025;15/01/2025;13/02/2025;12500',
  ],
  ['Mois/Année;Date relevé précédent;Date relevé actuel;Conso (kWh)', '01/2025;15/01/2025;13/02/2025;12500'],
  ['Numer;Data wystawienia;Okres od;Okres do;Zużycie (kWh)', 'F/1;02.01.2025;15.01.2025;13.02.2025;12500'],
  ['Laskun päivä;Jakson alku;Jakson loppu;kWh', '02.01.2025;15.01.2025;13.02.2025;12500'],
])('a period among other days (%s) is asked about, or right', async ([head, line]) => {
  const one = await importWorld(forecourt, ford, admin)
  const { first } = await one.bring(csv(head ?? '', line ?? ''))
  const days = (await one.records()).map(({ periodStart, periodEnd }) => `${periodStart} ${periodEnd}`)
  const open = first.questions.filter(({ answer }) => answer === null)
  expect(days.length === 0 ? open.length > 0 : days).toEqual(
    days.length === 0 ? true : ['2025-01-15 2025-02-13'],
  )
  const choice = open.find(({ id }) => id === 'period')?.choices.at(-1)?.value
  if (choice !== undefined) await one.bring(csv(head ?? '', line ?? ''), { period: choice })
  expect((await one.records()).map(({ periodStart }) => periodStart)).toEqual(['2025-01-15'])
})

test.for([
  ['Energy Charges ($),Net Bill Amount ($)', '100.50,200.50'],
  ['Amount ($),Late fee ($),Balance ($)', '100.50,200.50,300.50'],
  ['Cost ($000)', '200.5'],
  ['Savings ($)', '200.5'],
])('money that is not clearly the cost of the bill (%s) is not taken as that', async ([head, values]) => {
  const { stored, costs } = await imported(bill(`kWh,${head}`, `1000,${values}`))
  expect([stored, costs]).toEqual([['1000 kWh'], [null]])
})

test.for([
  'Running total (kWh)',
  'Verbrauch kumuliert (kWh)',
  'Cumul consommation (kWh)',
  'kWh to date',
  'Consumo acumulado (kWh)',
  'Rolling 12 month kWh',
  'EAC (kWh)',
])('%s is no use of a month', async (head) => {
  expect((await imported(bill(head, '1000', '1950'))).stored).toEqual([])
})

test.for([
  'Daily kWh',
  'Consommation journalière (kWh)',
  'Tagesverbrauch (kWh)',
  'Max kWh',
  'Ø Verbrauch (kWh)',
])('%s beside a period is no use of it', async (head) => {
  expect((await imported(bill(`Days,${head}`, '31,100', '28,100'))).stored).toEqual([])
})

test.for([
  'Previous kWh,Current kWh,kWh used',
  'Prev (kWh),Curr (kWh),kWh',
  'Alt (kWh),Neu (kWh),kWh',
  'Anterior (kWh),Actual (kWh),Consumo (kWh)',
  'Opening (kWh),Closing (kWh),Usage',
])('readings without the word (%s) are no use', async (head) => {
  const { stored, asked } = await imported(bill(head, '99000,99500,500', '99500,100100,600'))
  expect({ stored, asked }).toMatchObject({ asked: [] })
  expect(stored).toHaveLength(2)
  expect(stored.every((one) => one === '500 kWh' || one === '600 kWh' || one.startsWith('null'))).toBe(true)
})

test('a month with the days of two is asked about', async () => {
  const text = csv('Month,Days,kWh', 'Feb 2025,59,2000', 'Apr 2025,61,1900')
  expect(await imported(text)).toMatchObject({ asked: ['days'], stored: [] })
  expect((await imported(text, { answers: { days: 'back' } })).stored).toHaveLength(2)
})

test('names of sites in lines of their own are asked about', async () => {
  const text = csv('From,To,kWh', 'North house,,', `${DAYS[0]},1000`, 'South house,,', `${DAYS[1]},500`)
  expect(await imported(text)).toMatchObject({ asked: ['sections'], stored: [] })
  expect((await imported(text, { answers: { sections: 'notes' } })).stored).toHaveLength(2)
  expect((await imported(text, { answers: { sections: 'sites' } })).says).toContain('“North house”')
})

test.for<[BillSource, string, string]>([
  ['power', 'Our kWh,Tenant kWh,Building kWh', '1000,900,1900'],
  ['power', 'Purchased kWh,CHP kWh,Total kWh', '1000,900,1900'],
  ['power', 'Usage,Previous month kWh', '1000,300'],
  ['power', 'Usage,Green kWh', '1000,300'],
  ['power', 'Contract kWh,Usage', '1000,300'],
  ['waste', 'Recycled (lb),Landfill (lb),Total (lb)', '500,1500,2000'],
])('for %s, figures of others beside the use (%s) are asked about', async ([to, head, values]) => {
  const { asked, stored } = await imported(bill(head, values), { to })
  expect({ stored, isAsked: asked.length > 0 }).toEqual({ stored: [], isAsked: true })
})

test('the units of gas among those of electricity are those of the only source with gas', async () => {
  const { asked, stored } = await imported(bill('Usage,Unit', '1000,kWh', '50,therms'))
  expect([asked, stored]).toEqual([[], ['1000 kWh', '50 therm']])
})

test('a code of waste is no day', async () => {
  const text = csv('Collection Date,EWC Code,Weight (kg)', '08/01/2025,20 01 38,235')
  const { stored, says } = await imported(text, { to: 'waste' })
  expect(says).not.toContain('2038')
  expect(stored.length).toBeLessThan(2)
})

test.for([
  ['Past due ($),Charges ($),Total ($)', '50,100,150', ['100', null]],
  ['Cost center,Fee ($)', '4711,100', ['100', null]],
  ['Charge time (min),Fee ($)', '45,9', ['9', null]],
])('old debts and cost centers are no cost (%s)', async ([head, values, right]) => {
  const { costs } = await imported(bill(`kWh,${String(head)}`, `1000,${String(values)}`))
  expect(right).toContain(costs[0])
})

/** What a column of energies calls electricity and gas. */
const ENERGIES = [
  ['Elec', 'Gas', 'Therms'],
  ['ELEC', 'NG', 'THM'],
  ['Elec.', 'Nat Gas', 'Therms'],
  ['Electric Service', 'Gas Service', 'CCF'],
  ['E', 'G', 'Therms'],
  ['EL', 'Nat. Gas', 'Therms'],
  ['Pwr', 'NGAS', 'Therms'],
] as const
const energies = (power: string, gas: string, [kWh, therms]: readonly [string, string]) =>
  csv(
    'Invoice,From,To,Usage,Unit,Commodity',
    `E1,2025-01-01,2025-01-31,4176,${kWh},${power}`,
    `G1,2025-01-01,2025-01-31,504,${therms},${gas}`,
    `E2,2025-02-01,2025-02-28,3917,${kWh},${power}`,
    `G2,2025-02-01,2025-02-28,402,${therms},${gas}`,
  )

test.for(ENERGIES)('lines that are called %s and %s are electricity and gas', async ([power, gas, unit]) => {
  const one = await importWorld(forecourt, ford, admin)
  const read = await one.preview(energies(power, gas, ['kWh', unit]))
  expect(read.questions.filter(({ answer }) => answer === null)).toEqual([])
  expect(read).toMatchObject({ ready: 4, unknownSources: [] })
})

test('E and G say nothing in other units, and the source with the unit of an unknown name is suggested', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const { unknownSources: turned } = await one.preview(energies('G', 'E', ['kWh', 'Therms']))
  expect(turned.map(({ text, near }) => [text, near])).toEqual([
    ['G', ['electricity']],
    ['E', ['natural_gas']],
  ])
})

test.for<[string, string, string]>([
  ['E', 'G', 'Svc'],
  ['', '', 'Note'],
  ['Bldg', 'Bldg', 'Svc'],
])(
  'lines in therms and in kWh are those of gas and electricity without a word for it: %s %s %s',
  async ([power, gas, heading]) => {
    for (const from of ['power', 'gas'] as const) {
      const one = await importWorld(forecourt, ford, admin)
      const text = energies(power, gas, ['KWH', 'THM']).replace('Commodity', heading)
      const sourceId = one[from]
      const read = await one.preview(text, { sourceId })
      expect(read.questions.filter(({ answer }) => answer === null)).toEqual([])
      expect(read.ready).toBe(4)
      const said = read.shown.flatMap(({ problems }) => problems.map(({ message }) => message))
      expect(said).toContain(
        from === 'power'
          ? 'The line counts as Natural gas, because it is “THM”.'
          : 'The line counts as Electricity, because it is “KWH”.',
      )
      await one.bring(text, {}, { sourceId })
      const use = async (id: string) =>
        (await one.records())
          .filter((record) => record.sourceId === id)
          .map(({ quantity }) => quantity)
          .toSorted((a, b) => Number(a) - Number(b))
      expect(await use(one.power)).toEqual(['3917', '4176'])
      expect(await use(one.gas)).toEqual(['402', '504'])
    }
  },
)

test('propane in a list of diesel is that of the only source with propane, and is asked about without one', async () => {
  const list = csv(
    'Ticket,Delivery date,Gallons,Product',
    '101,01/09/2025,310,ULSD #2',
    '102,01/19/2025,120,LP Gas',
    '103,02/09/2025,290,ULSD #2',
    '104,02/19/2025,133,Propane',
  )
  const one = await importWorld(forecourt, ford, admin)
  const fuel = (activity: string) =>
    one.addSource({ activity, scope: '1', unit: 'gallon', facilityId: one.site })
  const diesel = await fuel('combustion/distillate-fuel-oil-no-2')
  const asked = async () =>
    (await one.preview(list, { sourceId: diesel })).questions.filter(({ answer }) => answer === null)
  expect((await asked()).map(({ id }) => id)).toEqual(['product:lp gas', 'product:propane'])
  const propane = await fuel('combustion/propane')
  expect(await asked()).toEqual([])
  await one.bring(list, {}, { sourceId: diesel })
  const use = async (id: string) =>
    (await one.records())
      .filter((record) => record.sourceId === id)
      .map(({ quantity }) => quantity)
      .toSorted((a, b) => Number(a) - Number(b))
  expect(await use(propane)).toEqual(['120', '133'])
  expect(await use(diesel)).toEqual(['290', '310'])
})
