import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { csv } from '#test/factories/carbon/imported-bill.ts'
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

test.for([
  ['x1', 'x1000', false],
  ['1.8.0', '2.8.0', false],
  ['M1', 'M2', false],
  ['Meter 1001', 'Meter 1002', false],
  ['kWh Jan 2025', 'kWh Feb 2025', true],
  ['2025-01', '2025-02', true],
  ['Sheet1', 'Sheet2', true],
  ['Usage 1', 'Usage 1000', false],
  ['1', '40', false],
  ['Usage 01', 'Usage 02', true],
] as const)('a sheet “%s”, then “%s”: confirmed still %s', async ([before, after, is]) => {
  const one = await importWorld(forecourt, ford, admin)
  const month = (name: string, number: string) =>
    writeXlsx({
      sheets: [
        {
          name,
          rows: [
            ['Ref id', 'Service From', 'Service To', 'Usage kWh'],
            ['R', `2025-${number}-01`, `2025-${number}-28`, 900],
          ],
        },
      ],
    })
  await one.bring(await month(before, '01'), {}, { file: 'bills.xlsx' })
  const { layout } = await one.preview(await month(after, '02'), { file: 'bills.xlsx' })
  expect(layout.isConfirmed).toBe(is)
})

test.for([
  ['Multiplier: 1', 'Multiplier: 40', false],
  ['OBIS 1.8.0', 'OBIS 2.8.0', false],
  ['Values in 1 kWh', 'Values in 1000 kWh', false],
  ['Meter 1001', 'Meter 1002', false],
  ['Account: 77', 'Account: 78', false],
  ['Sign +', 'Sign -', false],
  ['Share: 100%', 'Share: 25%', false],
  ['Invoice 1001 of 2025-02-03', 'Invoice 1077 of 2025-03-04', true],
  ['Usage report January 2025', 'Usage report February 2025', true],
  ['Reading 1.8.0', 'Reading 2.8.0', false],
  ['Usage +', 'Usage -', false],
  ['Usage per 1', 'Usage per 1000', false],
  ['Usage: 1', 'Usage: 1000', false],
  ['Bill 1:1', 'Bill 1:1000', false],
  ['Cost 1', 'Cost 1000', false],
  ['Invoice no. INV-2025/001', 'Invoice no. INV-2025/002', true],
  ['Page 1 of 2', 'Page 2 of 2', true],
  ['Total usage 1,500 kWh', 'Total usage 2,100 kWh', true],
  ['Total in 1 kWh', 'Total in 1000 kWh', false],
  ['Report 1 of 1, 3 Jan 2025 10:15', 'Report 1 of 1, 4 Feb 2025 11:20', true],
  ['From 1 January 2025 to 31 January 2025', 'From 1 February 2025 to 28 February 2025', true],
  ['Meter 1001, January 2025', 'Meter 1002, February 2025', false],
  ['Total amount due 120.50', 'Total amount due 99.10', true],
] as const)('a line above the table, “%s”, then “%s”: confirmed still %s', async ([before, after, is]) => {
  const one = await importWorld(forecourt, ford, admin)
  const month = (title: string, number: string) =>
    csv(title, 'Ref id,Service From,Service To,Usage kWh', `R,2025-${number}-01,2025-${number}-28,900`)
  await one.bring(month(before, '01'))
  expect((await one.preview(month(after, '02'))).layout.isConfirmed).toBe(is)
})

test('which bill a shared day belongs to stays what was confirmed, also for a file with one bill', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (...days: string[]) =>
    csv('Read From,Read To,Usage (kWh)', ...days.map((line) => `${line},900`))
  await one.bring(file('2025-01-03,2025-02-03', '2025-02-03,2025-03-04'))
  const next = await one.preview(file('2025-03-04,2025-04-03'))
  expect(next.layout.isConfirmed).toBe(true)
  expect(next.shown.map(({ period }) => period)).toEqual([{ first: '2025-03-04', last: '2025-04-02' }])
})

test('a layout with whole months is confirmed again when its bills share a day', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (...days: string[]) =>
    csv('Ref id,Read From,Read To,Usage (kWh)', ...days.map((line) => `R,${line},900`))
  await one.bring(file('2025-01-01,2025-01-31', '2025-02-01,2025-02-28'))
  const next = await one.preview(file('2025-03-01,2025-03-31', '2025-03-31,2025-04-30'))
  expect(next.layout.isConfirmed).toBe(false)
})

test('other uses beside the chosen one are figures of one bill', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const month = (number: string, figures: string) =>
    csv('CUPS,Desde,Hasta,P1,P2,P3,Consumo total (kWh)', `ES1,2025-${number}-01,2025-${number}-28,${figures}`)
  await one.bring(month('01', '120,80,45,245'))
  expect((await one.preview(month('02', '110,70,44,224'))).layout.isConfirmed).toBe(true)
})

test.for([
  '($10.00)',
  '($1,000.00)',
  '(USD 10.00)',
  '(10.00 USD)',
  'CR $10.00',
  '-€10.00',
  '(€10.00)',
  '10.00 EUR-',
])('a cost of %s beside a use is asked about', async (cost) => {
  const one = await importWorld(forecourt, ford, admin)
  const others = ['02', '03', '04', '05', '06'].map((month) => `2025-${month}-01,2025-${month}-28,100,20`)
  const { questions, ready } = await one.preview(
    csv('From,To,kWh,Cost', `2025-01-01,2025-01-31,100,"${cost}"`, others),
  )
  expect(questions.filter(({ answer }) => answer === null)).toHaveLength(1)
  expect(ready).toBe(5)
})

/** Headings of what numbers a delivery. */
const NUMBERS =
  'Ticket|Ticket #|Transaction ID|Receipt|Delivery Ticket #|Order Number|Load #|Load Number|Load ID|Weight Ticket|Work Order|Service Ticket|Slip No|Delivery ID|Manifest|PO Number|Confirmation|Doc No|Trans #|Tran No|Job #|Stop #|Conveyance Note|N° facture|Numéro de facture|N° de facture|N° de transaction|Nº factura|Nº ticket|LS-Nr.|Transaktions-ID|Wiegeschein|Vorgangsnummer|Bon de livraison|N° BL|Nº albarán|Recibo|Número de operación|Pakbon|Transactienummer|Rechnungsnr.|Factuurnr.|Numero fattura|Fakturanr|Inv #|Tkt|Control Number|Check #|Núm. de vale|Guía|Folio|N.º de remisión|N° pièce|Tankbeleg|Fahrauftrag|Weegbon|Begeleidingsbrief|N. DDT|N. fattura|N. bolla di consegna|N.º fatura|Nota fiscal|Guia de remessa|Nº da fatura|Talão|Nr faktury|Numer WZ|Nr dokumentu|Paragon|Följesedel|Kvittonr|Leveransnr'.split(
    '|',
  )

test.for(NUMBERS)(
  'a delivery with the number of an earlier one (%s) and another quantity is asked about, and so is the same quantity with another number',
  async (head) => {
    const one = await importWorld(forecourt, ford, admin)
    const own = await one.addSource({
      activity: 'combustion/propane',
      unit: 'gallon',
      scope: '1',
      facilityId: one.site,
    })
    const file = (quantity: string, number = 'T3') =>
      csv(`Delivery Date,${head},Gallons Delivered,Total`, `2025-02-15,${number},${quantity},300`)
    await one.bring(file('150'), { date: 'day' }, { sourceId: own })
    expect(await one.preview(file('150'), { sourceId: own })).toMatchObject({ known: 1, ready: 0 })
    const { ready, questions } = await one.preview(file('155'), { sourceId: own })
    expect({ ready, asked: questions.flatMap(({ id, answer }) => (answer === null ? [id] : [])) }).toEqual({
      ready: 0,
      asked: ['replace'],
    })
    const other = await one.preview(file('150', 'T4'), { sourceId: own })
    expect(other).toMatchObject({ known: 0, ready: 0, layout: { isConfirmed: true } })
    expect(other.questions.flatMap(({ id, answer }) => (answer === null ? [id] : []))).toEqual(['overlap'])
    expect(await one.preview(file('155', 'T4'), { sourceId: own })).toMatchObject({ known: 0, ready: 1 })
  },
)

test('a file that has earlier deliveries again may correct one of them; a new one beside them is none', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (...lines: string[]) => csv('Pickup Date,Gallons,Cost', lines)
  const asked = async (...lines: string[]) => {
    const { questions, ready, known } = await one.preview(file(...lines), { sourceId: one.cars })
    return { asked: questions.flatMap(({ id, answer }) => (answer === null ? [id] : [])), ready, known }
  }
  const [first, second] = ['2025-01-13,100,10', '2025-01-14,90,9']
  await one.bring(file(first, second), { date: 'day' }, { sourceId: one.cars })
  expect(await asked(first, '2025-01-14,200,20')).toEqual({ asked: ['sameDay'], ready: 0, known: 1 })
  expect(await asked(first, second, '2025-01-14,200,20')).toEqual({ asked: [], ready: 1, known: 2 })
  expect(await asked('2025-01-14,200,20')).toEqual({ asked: ['sameDay'], ready: 0, known: 0 })
  expect(await asked('2025-01-14,200,20', '2025-01-15,50,5')).toEqual({
    asked: ['sameDay'],
    ready: 1,
    known: 0,
  })
})

/** What tells the meters of a bill apart, with the days of its lines. */
const OF_METERS = [
  ['Meter,Bill No,Start,End,kWh,Cost', '2025-MM-01,2025-MM-28'],
  ['Meter Number,Invoice Number,Start Date,End Date,Usage (kWh),Amount', '2025-MM-01,2025-MM-28'],
] as const

test.for(OF_METERS)(
  'one bill number is of the same meter in files with one meter and with two: %s',
  async ([head, days]) => {
    const one = await importWorld(forecourt, ford, admin)
    const line = (meter: string, month: number, kWh: number) =>
      `${meter},B${month},${days.replaceAll('MM', String(month).padStart(2, '0'))},${kWh},${kWh / 10}`
    const bring = (...lines: string[]) => one.bring(csv(head, lines))
    const seen = async (...lines: string[]) => {
      const { ready, known, questions } = await one.preview(csv(head, lines))
      return { ready, known, asked: questions.flatMap(({ id, answer }) => (answer === null ? [id] : [])) }
    }
    await bring(line('M1', 1, 1000), line('M1', 2, 1010))
    await bring(line('M1', 3, 1020), line('M2', 3, 500))
    expect(await seen(line('M1', 3, 1020), line('M1', 7, 1070))).toEqual({ ready: 1, known: 1, asked: [] })
    expect(await seen(line('M2', 3, 510), line('M2', 7, 700))).toEqual({
      ready: 1,
      known: 0,
      asked: ['replace'],
    })
    expect(await seen(line('M1', 1, 1000), line('M2', 1, 600))).toEqual({ ready: 1, known: 1, asked: [] })
    expect(await seen(line('M1', 2, 1015), line('M2', 2, 620))).toMatchObject({
      known: 0,
      asked: ['replace'],
    })
  },
)

test('fills of two vehicles on one invoice are the same in a file with one vehicle', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (...lines: string[]) =>
    csv('Invoice No,Transaction Date,Registration,Litres,Net Value (USD)', lines)
  const bring = (...lines: string[]) => one.bring(file(...lines), { date: 'day' }, { sourceId: one.cars })
  const [a, b, c] = [
    'I1,2025-01-15,AB12,50.12,70',
    'I1,2025-01-15,AB13,40.5,60',
    'I1,2025-01-16,AB12,30.5,45',
  ]
  await bring(a, b, c)
  await bring('I2,2025-02-15,AB12,51.12,70')
  expect(await one.preview(file(a, c), { sourceId: one.cars })).toMatchObject({ ready: 0, known: 2 })
  const two = file('I2,2025-02-15,AB12,51.12,70', 'I2,2025-02-15,AB13,41,60')
  expect(await one.preview(two, { sourceId: one.cars })).toMatchObject({ ready: 1, known: 1 })
})

test('the same use on two meters, and credits of them, are told apart by their meters', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (...lines: string[]) => csv('Meter,Bill No,Start,End,kWh,Cost', lines)
  const line = (meter: string, number: string, kWh: number) =>
    `${meter},${number},2025-0${number.slice(1)}-01,2025-0${number.slice(1)}-28,${kWh},${kWh / 10}`
  await one.bring(file(line('M1', 'B1', 500)))
  const both = file(line('M1', 'B1', 500), line('M2', 'B1', 500))
  expect(await one.preview(both)).toMatchObject({ ready: 1, known: 1 })
  await one.bring(both)
  expect(await one.preview(file(line('M1', 'B1', 510)))).toMatchObject({ questions: [{ id: 'replace' }] })
  await one.bring(file(line('M1', 'B1', 510)), { replace: 'replace' })
  const corrected = await one.preview(file(line('M2', 'B1', 520)))
  expect(corrected.questions.map(({ text }) => text)).toEqual([
    'Bill B1 of M2 is already there for these days, with 500 kWh. The file has 520 kWh. Is it a correction?',
  ])
  const credits = file(line('M1', 'B2', -50), line('M2', 'B2', -60))
  await one.bring(credits, { credits: 'subtract' })
  const { last } = await one.bring(file(line('M2', 'B2', -60)), { credits: 'subtract' })
  expect(last).toMatchObject({ ready: 0, known: 1 })
})

test('a list without bill numbers and one with them are the same bills of the same meters', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const days = '2025-01-01,2025-01-31'
  await one.bring(csv('Meter,Start,End,kWh,Cost', `M1,${days},500,50`, `M2,${days},600,60`))
  const numbered = (first: number) =>
    csv('Meter,Bill No,Start,End,kWh,Cost', `M1,B1,${days},${first},50`, `m-2,B1,${days},600,60`)
  expect(await one.preview(numbered(500))).toMatchObject({ ready: 0, known: 2 })
  const { ready, known, questions } = await one.preview(numbered(505))
  expect({ ready, known, asked: questions.map(({ id }) => id) }).toEqual({
    ready: 0,
    known: 1,
    asked: ['replace'],
  })
})

test('a list with only bill numbers and one with only meters are the same bills, credits too', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const [jan, feb] = ['2025-01-01,2025-01-31', '2025-02-01,2025-02-28']
  await one.bring(csv('Bill No,Start,End,kWh,Cost', `B1,${jan},500,50`, `B2,${feb},600,60`))
  await one.bring(csv('Bill No,Start,End,kWh,Cost', `C1,${jan},-100,-10`), {
    credits: 'subtract',
    lastYear: 'count',
  })
  const { last } = await one.bring(
    csv('Meter,Start,End,kWh,Cost', `M1,${jan},500,50`, `M1,${feb},600,60`, `M1,${jan},-100,-10`),
    { credits: 'subtract', lastYear: 'count' },
  )
  expect(last).toMatchObject({ ready: 0, known: 3 })
})

test.for(['Meter,Start,End,kWh,Cost', 'Bill No,Start,End,kWh,Cost'])(
  'a bill and its full credit, brought with %s, are known in a list with numbers and meters',
  async (head) => {
    const one = await importWorld(forecourt, ford, admin)
    const days = '2025-01-01,2025-01-31'
    const [name, creditName] = head.startsWith('Meter') ? ['M1', 'M1'] : ['B1', 'C1']
    const subtract = { credits: 'subtract' }
    await one.bring(csv(head, `${name},${days},500,50`, `${creditName},${days},-500,-50`), subtract)
    const both = csv('Meter,Bill No,Start,End,kWh,Cost', `M1,B1,${days},500,50`, `M1,C1,${days},-500,-50`)
    expect((await one.bring(both, subtract)).last).toMatchObject({ ready: 0, known: 2 })
    // With another number it may be billed again after the credit; then it is known.
    const again = csv('Meter,Bill No,Start,End,kWh,Cost', `M1,B3,${days},500,50`)
    const answers = name === 'M1' ? { again: 'both' } : {}
    expect((await one.bring(again, answers)).last).toMatchObject({ ready: 1, known: 0 })
    const third = csv('Meter,Start,End,kWh,Cost', `M1,${days},500,50`)
    expect((await one.bring(third)).last).toMatchObject({ ready: 0, known: 1 })
  },
)

test.for(['Bill No,Start,End,kWh,Cost', 'Meter,Start,End,kWh,Cost', 'Start,End,kWh,Cost'])(
  'bills of which a credit took one back are sent again with %s, and nothing is counted twice',
  async (head) => {
    const one = await importWorld(forecourt, ford, admin)
    const months = ['2025-01-01,2025-01-31', '2025-02-01,2025-02-28', '2025-03-01,2025-03-31']
    const file = (columns: string, kinds: readonly string[]) =>
      csv(
        columns,
        months.map((days, at) => [...kinds.map((kind) => `${kind}${at + 1}`), days, 1001 + at, 50].join(',')),
      )
    const both = 'Meter,Bill No,Start,End,kWh,Cost'
    await one.bring(
      csv(
        both,
        months.map((days, at) => `M1,B${at + 1},${days},${1001 + at},50`),
      ),
    )
    await one.bring(csv(both, `M1,C2,${months[1]},-1002,-50`), { credits: 'subtract' })
    const kinds = head.startsWith('Bill') ? ['B'] : []
    const sent = head.startsWith('Meter')
      ? csv(
          head,
          months.map((days, at) => `M1,${days},${1001 + at},50`),
        )
      : file(head, kinds)
    const { last } = await one.bring(sent, { again: 'leave' })
    expect(last).toMatchObject({ ready: 0 })
  },
)

test('a bill that was credited and billed again under another number is known with its meter, too', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const [jan, feb] = ['2025-01-01,2025-01-31', '2025-02-01,2025-02-28']
  const head = 'Bill No,Start,End,kWh,Cost'
  await one.bring(csv(head, `B1,${jan},1001,50`, `B2,${feb},1002,50`))
  await one.bring(csv(head, `C1,${jan},-1001,-50`), { credits: 'subtract' })
  await one.bring(csv(head, `B1R,${jan},1001,50`))
  const { last } = await one.bring(csv(`Meter,${head}`, `M1,B1,${jan},1001,50`, `M1,B2,${feb},1002,50`))
  expect(last).toMatchObject({ ready: 0, known: 2 })
})

test.for([
  // Readings beside a meter are the use.
  [
    [
      'Meter,From,To,Previous reading,Current reading,Multiplier,Unit',
      'M1,2025-02-01,2025-02-28,10200,10305.7,10,kWh',
    ],
    ['ready 1057'],
    [],
  ],
  [['Tot en met,Van,Verbruik (kWh)', '2025-02-28,2025-02-01,1000'], ['ready 1000'], []],
  // A line of sums says nothing about the others.
  [
    [
      'Service address;From;To;Usage;Unit',
      'Elm 1;01.04.2025;30.04.2025;1876;kWh',
      'Elm 1;01.05.2025;31.05.2025;1877;kWh',
      'Total;;;3753;',
    ],
    ['left', 'ready 1876', 'ready 1877'],
    [],
  ],
  [
    [
      'Mätarnummer;Från;Till;Förbrukning (kWh)',
      '70001;2025-04-01;2025-04-30;1876',
      '70001;2025-05-01;2025-05-31;1877',
      'Summa;;;3753',
    ],
    ['left', 'ready 1876', 'ready 1877'],
    [],
  ],
  // Dates with points are written where most have a decimal comma.
  [['From\tTo\tUsage\tUnit', '01.12.2025\t31.12.2025\t1,381\tMWh'], ['open'], ['decimal']],
  [
    [
      'Numer faktury;Od;Do;Zużycie (kWh);Typ',
      '1;01.04.2025;30.04.2025;100;Faktura',
      '2;01.04.2025;30.04.2025;100;Korekta',
    ],
    ['open', 'open'],
    ['column:typ', 'word:korekta'],
  ],
] as const)('%s', async ([lines, states, asked]) => {
  const one = await importWorld(forecourt, ford, admin)
  const [head, ...more] = lines
  const { shown, questions } = await one.preview(csv(head, ...more))
  const found = shown.map(({ state, amount }) =>
    [state, ...(amount === null ? [] : [amount.quantity])].join(' '),
  )
  expect([found.toSorted(), questions.map(({ id }) => id).toSorted()]).toEqual([states, asked])
})

const METERS = [
  'Meter ID',
  'Metering point',
  'Zähler-Nr.',
  'Medidor',
  'Número de medidor',
  'Contador',
  'Compteur',
  'N° compteur',
  'Contatore',
  'Numero contatore',
  'Matricola contatore',
  'Misuratore',
  'PDR',
  'Mätare',
  'Mätarnummer',
  'Mätar-ID',
  'Anläggnings-ID',
  'Målernummer',
  'Licznik',
  'Numer licznika',
  'Nr licznika',
  'PPE',
  'Meternummer',
  'EAN-code',
  'Messstelle',
  'Marktlokations-ID',
  'Zählerplatznummer',
]
test('headings in many languages name meters: another meter is another bill', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const found: string[] = []
  for (const [at, heading] of METERS.entries()) {
    const month = String(1 + Math.floor(at / 3)).padStart(2, '0')
    const first = 1 + (at % 3) * 9
    const day = (number: number) => `2025-${month}-${String(number).padStart(2, '0')}`
    const days = `${day(first)},${day(first + 8)}`
    const file = (meter: string) => csv(`${heading},Start,End,kWh`, `${meter},${days},500`)
    await one.bring(file('77001'))
    // The same use for the same days: another meter, or another name of this one.
    const { questions } = await one.preview(file('77002'))
    if (questions[0]?.id !== 'sameMeter') found.push(heading)
  }
  expect(found).toEqual([])
})

test.for(['Bill No,Start,End,MWh,Cost', 'Meter,Start,End,MWh,Cost', 'Start,End,MWh,Cost'])(
  'the same bills in another unit, with %s, are known',
  async (head) => {
    const one = await importWorld(forecourt, ford, admin)
    const [jan, feb] = ['2025-01-01,2025-01-31', '2025-02-01,2025-02-28']
    await one.bring(
      csv('Meter,Bill No,Start,End,kWh,Cost', `M1,B1,${jan},1001.5,50`, `M1,B2,${feb},1002.5,50`),
    )
    const [a, b] = { B: ['B1,', 'B2,'], M: ['M1,', 'M1,'], S: ['', ''] }[head.charAt(0)] ?? []
    const { last } = await one.bring(csv(head, `${a}${jan},1.0015,50`, `${b}${feb},1.0025,50`))
    expect(last).toMatchObject({ ready: 0, known: 2 })
    // Rounded, it may be another use.
    const { questions } = await one.preview(csv(head, `${a}${jan},1.0,50`))
    expect(questions.map(({ id }) => id)).toContainEqual(expect.stringMatching(/^(replace|sameDay)/))
  },
)

test('a correction among meters with the same days is asked about against the nearest', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const days = '2025-01-01,2025-01-31'
  await one.bring(csv('Meter,Start,End,kWh,Cost', `M1,${days},500,50`, `M2,${days},800,80`))
  const { questions } = await one.preview(csv('Bill No,Start,End,kWh,Cost', `B1,${days},795,80`))
  expect(questions.find(({ id }) => id === 'replace')?.text).toMatch(/bill of M2/)
})

test('a meter whose name begins as that of another is another one', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (...lines: string[]) => csv('Meter,Bill No,Start,End,kWh,Cost', lines)
  const line = (meter: string, kWh: number) => `"${meter}",B1,2025-01-01,2025-01-31,${kWh},50`
  await one.bring(file(line('Hall A', 500), line('Hall A, north', 1010)))
  const { questions } = await one.preview(file(line('Hall A', 505)))
  expect(questions.find(({ id }) => id === 'replace')?.text).toContain('Bill B1 of Hall A is already there')
})

test('a correction from a list without meters or without numbers keeps both', async () => {
  const one = await importWorld(forecourt, ford, admin)
  const days = '2025-01-01,2025-01-31'
  await one.bring(csv('Meter,Bill No,Start,End,kWh,Cost', `M1,B1,${days},500,50`))
  await one.bring(csv('Meter,Start,End,kWh,Cost', `M1,${days},505,50`), { replace: 'replace' })
  await one.bring(csv('Bill No,Start,End,kWh,Cost', `B1,${days},506,50`), { replace: 'replace' })
  const current = (await one.records()).filter(({ quantity }) => quantity === '506')
  expect(current).toMatchObject([{ reference: 'B1, Meter M1' }])
})

test.for([
  ['Van', 'Van 2'],
  ['12', '12 B'],
  ['Hall A', 'Hall A north'],
])('%s and %s are two meters', async ([a, b]) => {
  const one = await importWorld(forecourt, ford, admin)
  const file = (meter: string) => csv('Meter,Start,End,kWh,Cost', `${meter},2025-01-01,2025-01-31,700,50`)
  await one.bring(file(a ?? ''))
  const { known, questions } = await one.preview(file(b ?? ''))
  expect([known, questions.map(({ id }) => id)]).toEqual([0, ['sameMeter']])
})
