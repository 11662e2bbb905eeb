import { afterAll, beforeAll, expect, test } from 'vitest'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { reports } from '#contract/reports/reports.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())
const { uploadFeed, csv, apply, undo, onLot, stockOf, rowsOf } = feedImports(() => forecourt)

async function stocked(tag: string, count = 3) {
  const [first, second] = [await ford.addLot(), await ford.addLot()]
  for (const [at, lotId] of [first, second].entries())
    for (let one = 0; one < count; one += 1)
      await admin.call(vehicles.add, {
        lotId,
        stock: `${tag}${at}${one}`,
        year: 2021,
        make: 'Ford',
        model: 'Escape',
        priceCents: 2_000_000 + one * 100_000,
        mileage: 20_000 + one,
        inStockOn: '2026-03-04',
        status: 'live',
        condition: 'used',
        locksEdits: false,
      })
  return { first, second }
}
async function exported(columns: string[], lotIds: string[]) {
  const filter = lotIds.map((id) => `lotId == ${id}`).join(' || ')
  const file = await admin.send({
    method: 'POST',
    url: reports.exportList.path,
    payload: { list: 'vehicles', format: 'csv', columns, filter },
  })
  expect(file.status).toBe(200)
  return file.text
}
const answer = async (id: string, answers: Record<string, string>) => {
  await admin.call(feedRuns.answerQuestions, { id, answers })
  await forecourt.jobs.runDue()
  return admin.call(feedRuns.get, { id })
}

test('the lot column of an export is read, and a lot chosen for the file is only for rows that name none', async () => {
  const { first, second } = await stocked('OL')
  const text = await exported(['name', 'stock', 'lotId', 'mileage'], [first, second])
  const lines = text.trim().split('\n')
  const { name } = await admin.call(lots.get, { id: first })
  const blank = lines.map((line) => (line.includes('OL00') ? line.replace(`"${name}"`, '') : line))
  expect(blank.join('\n')).not.toBe(lines.join('\n'))
  for (const [file, lotId] of [
    [lines, undefined],
    [lines, first],
    [blank, second],
  ] as const) {
    const run = await uploadFeed(
      admin,
      { ...(lotId !== undefined && { lotId }) },
      { name: 'vehicles.csv', bytes: `${file.join('\n')}\n` },
    )
    expect(run).toMatchObject({ new: 0, changed: 0, refused: 0, unchanged: 6, unknownDealers: [] })
    await admin.call(feedRuns.cancel, { id: run.id })
  }
})

test('a lot that is chosen for a file is only for the rows that name none', async () => {
  const [first, second] = [await ford.addLot(), await ford.addLot()]
  const { code } = await admin.call(lots.get, { id: second })
  const run = await uploadFeed(
    admin,
    { lotId: first },
    csv('Dealer ID,Stock,Year,Make,Model', `${code},LC1,2020,Ford,Escape`, ',LC2,2020,Ford,Escape'),
  )
  expect(run).toMatchObject({ new: 2, refused: 0 })
  await apply(admin, run.id)
  expect([await onLot(first), await onLot(second)]).toMatchObject([[{ stock: 'LC2' }], [{ stock: 'LC1' }]])
})

test('a fixed row makes no second vehicle of one that is in stock on another lot', async () => {
  const [first, second] = [await ford.addLot('Fixed row, first'), await ford.addLot()]
  const head = 'VIN,Stock,Year,Make,Model,Price'
  const vin = '1FTEW1EP0PA900026'
  await apply(
    admin,
    (await uploadFeed(admin, { lotId: first }, csv(head, `${vin},FX1,2023,Ford,F-150,31995`))).id,
  )
  const run = await uploadFeed(admin, { lotId: second }, csv(head, ',,2023,Ford,F-150,31995'))
  const [row] = await rowsOf(admin, run.id, 'refused')
  const fix = { runId: run.id, id: row?.id ?? '', values: { vin } }
  await expect(admin.call(feedRuns.fixRow, fix)).toRefuse(400, 'already in stock on another lot')
  await admin.call(feedRuns.fixRow, { ...fix, lotId: first })
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ new: 0, refused: 0 })
})

test('an export without lots finds its vehicles on their lots, whatever lot is chosen', async () => {
  const { first, second } = await stocked('OW')
  const text = await exported(['name', 'stock', 'mileage'], [first, second])
  const run = await uploadFeed(admin, { lotId: first }, { name: 'vehicles.csv', bytes: text })
  expect(run).toMatchObject({ new: 0, changed: 0, refused: 0, unchanged: 6 })
  await admin.call(feedRuns.cancel, { id: run.id })
})

test('a vehicle in stock on another lot is asked about, and stays or moves, exactly undone', async () => {
  const [first, second] = [await ford.addLot(), await ford.addLot()]
  const head = 'VIN,Stock,Year,Make,Model,Price,Mileage'
  const row = (mileage: number) => `1FTEW1EP9PA900025,MV1,2023,Ford,F-150,31995,${mileage}`
  await apply(admin, (await uploadFeed(admin, { lotId: first }, csv(head, row(12_000)))).id)
  const before = await stockOf(ford)
  for (const [to, mileage] of [
    ['leave', 12_500],
    ['move', 13_000],
  ] as const) {
    // Another column, so that the answer before isn't that of the same kind of file.
    const run = await uploadFeed(
      admin,
      { lotId: second },
      csv(`${head},Note ${to}`, `${row(mileage)},`, `,MV2${to},2020,Ford,Escape,20000,30000,`),
    )
    expect(run).toMatchObject({ status: 'review', new: 2 })
    expect(run.questions).toEqual([
      { key: 'otherLot', kind: 'otherLot', column: '', rows: 1, value: expect.stringContaining('(MV1) on ') },
    ])
    await expect(admin.call(feedRuns.apply, { id: run.id, confirm: true })).toRefuse(409)
    const read = await answer(run.id, { otherLot: to })
    expect([read.new, read.changed, read.leftOut, read.questions]).toEqual(
      to === 'leave' ? [1, 0, 1, []] : [1, 1, 0, []],
    )
    await apply(admin, run.id, true)
    const [there, here] = [await onLot(first), await onLot(second)]
    expect([there.length, here.length]).toEqual(to === 'leave' ? [1, 1] : [0, 2])
    const moved = here.filter(({ vin }) => vin === '1FTEW1EP9PA900025')
    expect(moved.map((one) => one.mileage)).toEqual(to === 'leave' ? [] : [13_000])
    expect(await undo(admin, run.id)).toMatchObject({ status: 'undone', notUndone: 0 })
    expect(await stockOf(ford)).toEqual(before)
  }
})

test.for([
  ['an export without the vehicle', 'Stock,Selling price'],
  ['a column of a channel', 'Stock,Price'],
  ['any other name', 'Stock,Internet Price'],
] as const)('prices that buyers see are asked about before any is taken (%s)', async ([what, head]) => {
  const { first } = await stocked(`TQ${what.length}`)
  await forecourt.prices.workDue()
  // With the fees of the organization.
  const totals = (
    await admin.call(vehicles.list, { filter: `lotId == ${first}`, sort: 'stock' })
  ).results.map(({ totalPriceCents }) => (totalPriceCents ?? 0) / 100)
  expect(totals).not.toEqual([20_000, 21_000, 22_000])
  const rows = totals.map((total, at) => `TQ${what.length}0${at},${total}`)
  const run = await uploadFeed(admin, { lotId: first }, csv(head, ...rows))
  expect(run.status).toBe('review')
  expect(run.questions).toMatchObject([{ kind: 'total', column: head.split(',')[1], rows: 3 }])
  await expect(admin.call(feedRuns.apply, { id: run.id, confirm: true })).toRefuse(409)
  const key = run.questions[0]?.key ?? ''
  // Our own prices: what was removed stays removed.
  await forecourt.owner.query(
    `update vehicles set status = 'removed', removed_from = 'live' where lot_id = $1 and stock like '%02'`,
    [first],
  )
  const total = await answer(run.id, { [key]: 'total' })
  expect(total).toMatchObject({ changed: 0, prices: 0, questions: [], status: 'ready' })
  expect(total.notes).toEqual([expect.stringContaining('No price is read from it.')])
  await admin.call(feedRuns.cancel, { id: run.id })
  await forecourt.owner.query(`update vehicles set status = 'live', removed_from = null where lot_id = $1`, [
    first,
  ])
  // Prices before rules are taken without a question.
  const base = [0, 1, 2].map((at) => `TQ${what.length}0${at},${20_000 + at * 1_000}`)
  const other = await uploadFeed(
    admin,
    { lotId: first },
    csv(`${head},Remark`, ...base.map((one) => `${one},`)),
  )
  expect([other.questions, other.prices]).toEqual([[], 0])
})

test('a price list in which one price of several rises by the amount of the fees asks nothing', async () => {
  const { first } = await stocked('TN')
  await forecourt.prices.workDue()
  const { results } = await admin.call(vehicles.list, { filter: `lotId == ${first}`, sort: 'stock' })
  const run = await uploadFeed(
    admin,
    { lotId: first },
    csv('Stock,Cash price', `TN00,${(results[0]?.totalPriceCents ?? 0) / 100}`, 'TN01,21000', 'TN02,22000'),
  )
  expect([run.status, run.questions, run.prices]).toEqual(['ready', [], 1])
})

test('a file without VINs whose stock numbers are in stock on another lot asks whether they are the same vehicles', async () => {
  const { first, second } = await stocked('OS')
  const third = await ford.addLot()
  const before = await stockOf(ford)
  const rows = ['OS00,31000', 'OS01,31001', 'OS1X,31002']
  const expected = { leave: [1, 0, 2], move: [1, 2, 0], add: [3, 0, 0] } as const
  for (const to of ['leave', 'move', 'add'] as const) {
    // Another column, so that the answer before isn't that of the same kind of file.
    const run = await uploadFeed(
      admin,
      { lotId: third },
      csv(`Stock,Mileage,Note ${to}`, ...rows.map((row) => `${row},`)),
    )
    expect(run).toMatchObject({ status: 'review', canApply: false })
    expect(run.questions).toEqual([
      {
        key: 'otherStock',
        kind: 'otherStock',
        column: '',
        rows: 2,
        value: expect.stringMatching(/^2021 Ford Escape \(OS00\) on /),
      },
      { key: 'newStock', kind: 'newStock', column: '', rows: 1, value: 'OS1X' },
    ])
    const read = await answer(run.id, { otherStock: to, newStock: 'add' })
    expect([read.new, read.changed, read.leftOut]).toEqual(expected[to])
    await apply(admin, run.id, true)
    expect((await onLot(third)).map(({ mileage }) => mileage)).toEqual(
      { leave: [31_002], move: [31_000, 31_001, 31_002], add: [31_000, 31_001, 31_002] }[to],
    )
    expect(await undo(admin, run.id)).toMatchObject({ status: 'undone', notUndone: 0 })
    expect(await stockOf(ford)).toEqual(before)
  }
  // Another year or make is another vehicle.
  const other = await uploadFeed(
    admin,
    { lotId: third },
    csv('Stock,Year,Make,Model', 'OS00,2020,Ford,Escape', 'OS01,2021,Kia,Soul'),
  )
  expect(other).toMatchObject({ new: 2, questions: [] })
  await admin.call(feedRuns.cancel, { id: other.id })
  // A column with names of lots says where each vehicle is, whatever it is called and whatever lot is chosen.
  const names = [first, second].map(async (id) => (await admin.call(lots.get, { id })).name)
  const [one, two] = await Promise.all(names)
  const placed = await uploadFeed(
    admin,
    { lotId: third },
    csv('Stock,Mileage,Where', `OS00,31000,"${one}"`, `OS11,31001,"${two}"`),
  )
  expect(placed).toMatchObject({ new: 0, changed: 2, questions: [] })
  await admin.call(feedRuns.cancel, { id: placed.id })
})

test('removed vehicles in a file without a status stay removed until a person wants them back', async () => {
  const { first } = await stocked('RB')
  const remove = `update vehicles set status = 'removed', removed_from = 'live' where lot_id = $1 and stock <> 'RB00'`
  await forecourt.owner.query(remove, [first])
  const rows = ['RB00,31000', 'RB01,31001', 'RB02,31002']
  const statuses = async () => (await onLot(first)).map(({ status }) => status)
  for (const to of ['leave', 'back'] as const) {
    const run = await uploadFeed(
      admin,
      { lotId: first },
      csv(`Stock,Mileage,Remark ${to}`, ...rows.map((row) => `${row},`)),
    )
    expect(run).toMatchObject({ status: 'review', canApply: false, backOnSale: 0 })
    expect(run.questions).toMatchObject([
      { key: 'comeBack', kind: 'comeBack', rows: 2, value: '2021 Ford Escape (RB01)' },
    ])
    await expect(admin.call(feedRuns.apply, { id: run.id, confirm: true })).toRefuse(409)
    const read = await answer(run.id, { comeBack: to })
    expect(read).toMatchObject({ questions: [], backOnSale: to === 'back' ? 2 : 0 })
    await apply(admin, run.id, true)
    expect(await statuses()).toEqual(
      to === 'back' ? ['live', 'live', 'live'] : ['live', 'removed', 'removed'],
    )
    expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({
      backOnSale: to === 'back' ? 2 : 0,
    })
    await undo(admin, run.id)
    expect(await statuses()).toEqual(['live', 'removed', 'removed'])
  }
})

test('what a person said about the vehicles of a file is not used for the next file with the same columns, and can be changed', async () => {
  const { first, second } = await stocked('AU')
  const third = await ford.addLot()
  const file = (...stocks: string[]) => csv('Stock,Asking Mileage', ...stocks.map((one) => `${one},31000`))
  const run = await uploadFeed(admin, { lotId: third }, file('AU00'))
  expect(run.questions).toMatchObject([{ key: 'otherStock' }])
  expect(await answer(run.id, { otherStock: 'move' })).toMatchObject({
    answers: { otherStock: 'move' },
    moved: 1,
    questions: [],
  })
  const other = await answer(run.id, { otherStock: 'leave' })
  expect(other).toMatchObject({ answers: { otherStock: 'leave' }, moved: 0, leftOut: 1, changed: 0 })
  await answer(run.id, { otherStock: 'move' })
  await expect(
    admin.call(feedRuns.answerQuestions, { id: run.id, answers: { otherStock: 'back' } }),
  ).toRefuse(400)
  await expect(admin.call(feedRuns.answerQuestions, { id: run.id, answers: { otherLot: 'move' } })).toRefuse(
    409,
  )
  await apply(admin, run.id)
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ moved: 1 })
  for (const lotId of [first, second, third]) {
    const next = await uploadFeed(admin, { lotId }, file(lotId === second ? 'AU01' : 'AU11'))
    expect(next.questions.map(({ key }) => key)).toEqual(['otherStock'])
    expect(next).toMatchObject({ answers: {}, moved: 0 })
    await admin.call(feedRuns.cancel, { id: next.id })
  }
})

test('a stock number in stock with another year, make or VIN is asked about, and updates, skips or adds', async () => {
  const lotId = await ford.addLot()
  const vins = ['1FTEW1EP0PA900033', '1FTEW1EP2PA900034']
  const head = 'VIN,Stock,Year,Make,Model,Price'
  await apply(
    admin,
    (
      await uploadFeed(
        admin,
        { lotId },
        csv(head, ...vins.map((vin, at) => `${vin},SS${at},2023,Ford,F-150,${31_995 + at}`)),
      )
    ).id,
  )
  const before = await stockOf(ford)
  const files = {
    'another year': ['Stock,Year,Make,Model,Mileage', 'SS0,2022,Ford,F-150,15000'],
    'another make': ['Stock,Make,Model,Mileage', 'SS0,Kia,Soul,15000'],
    'another VIN': ['VIN,Stock,Mileage', '1FTEW1EP4PA900035,SS0,15000'],
  }
  const expected = { leave: [0, 0, 1], same: [0, 1, 0], add: [1, 0, 0] } as const
  for (const [what, [titles = '', row = '']] of Object.entries(files))
    for (const to of ['leave', 'same', 'add'] as const) {
      const run = await uploadFeed(admin, { lotId }, csv(titles, row))
      expect([what, run.status, run.questions]).toEqual([
        what,
        'review',
        [
          {
            key: 'sameStock',
            kind: 'sameStock',
            column: '',
            rows: 1,
            value: expect.stringMatching(/^2023 Ford F-150 .*\(SS0\)$/),
          },
        ],
      ])
      const read = await answer(run.id, { sameStock: to })
      expect([what, to, read.new, read.changed, read.leftOut]).toEqual([what, to, ...expected[to]])
      if (to === 'leave') continue
      await apply(admin, run.id, true)
      expect((await onLot(lotId)).length).toBe(to === 'add' ? 3 : 2)
      await undo(admin, run.id)
      expect(await stockOf(ford)).toEqual(before)
    }
})

test('a file that ends inside its last line takes no vehicle away', async () => {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: 'Cut files', lotIds: [lotId] })
  const rows = [0, 1, 2, 3].map((at) => `CF${at},2020,Ford,Escape,${20_000 + at},30000`)
  const head = 'Stock,Year,Make,Model,Price,Mileage'
  await apply(admin, (await uploadFeed(admin, { sourceId }, csv(head, ...rows))).id)
  const cut = await uploadFeed(
    admin,
    { sourceId },
    { name: 'cut.csv', bytes: [head, ...rows.slice(0, 2), 'CF2,2020,Ford,Escape,20002'].join('\n') },
  )
  expect(cut).toMatchObject({ missing: 0, status: 'review' })
  expect(cut.reviewReasons.join()).toContain('Line 4 ends before its last value.')
})

test('a source asks again about vehicles of other lots and about VINs that changed, unless it leaves them alone', async () => {
  const [lotId, other] = [await ford.addLot(), await ford.addLot()]
  const { id: sourceId } = await admin.call(feedSources.add, { name: 'Asks again', lotIds: [lotId] })
  const head = 'VIN,Stock,Year,Make,Model,Price'
  const row = (vin: string, stock: string) => `${vin},${stock},2023,Ford,F-150,31995`
  const there = ['1FTEW1EP0PA900050', '1FTEW1EP2PA900051', '1FTEW1EP4PA900052']
  await apply(
    admin,
    (await uploadFeed(admin, { lotId: other }, csv(head, ...there.map((vin, at) => row(vin, `AG${at}`))))).id,
  )
  const own = row('1FTEW1EP6PA900053', 'AG9')
  const ask = async (...rows: string[]) => {
    const run = await uploadFeed(admin, { sourceId }, csv(head, own, ...rows))
    return { run, asked: run.questions.map(({ key }) => key) }
  }
  await apply(admin, (await ask()).run.id)
  const first = await ask(row(there[0] ?? '', 'AG0'))
  expect(first.asked).toEqual(['otherLot'])
  await answer(first.run.id, { otherLot: 'move' })
  await apply(admin, first.run.id, true)
  const second = await ask(row(there[0] ?? '', 'AG0'), row(there[1] ?? '', 'AG1'))
  expect([second.asked, second.run.moved]).toEqual([['otherLot'], 0])
  await answer(second.run.id, { otherLot: 'leave' })
  await apply(admin, second.run.id, true)
  // That it leaves them is remembered.
  const third = await ask(row(there[0] ?? '', 'AG0'), row(there[2] ?? '', 'AG2'))
  expect([third.asked, third.run.leftOut]).toEqual([[], 1])
  await admin.call(feedRuns.cancel, { id: third.run.id })
  // A VIN that was corrected, and one stock number of two vehicles of the file.
  const vins = await uploadFeed(admin, { sourceId }, csv(head, row('1FTEW1EP8PA900054', 'AG9')))
  expect(vins.questions.map(({ key }) => key)).toEqual(['sameStock'])
  await admin.call(feedRuns.cancel, { id: vins.id })
  expect((await ask(row('1FTEW1EP8PA900054', 'AG9'))).asked).toEqual([])
})

test('answers about vehicles are asked again for another lot', async () => {
  const { first, second } = await stocked('LC')
  const run = await uploadFeed(admin, { lotId: first }, csv('Stock,Mileage,For lots', 'LC10,31000,'))
  await answer(run.id, { otherStock: 'move' })
  await admin.call(feedRuns.readAgain, { id: run.id, lotId: await ford.addLot() })
  await forecourt.jobs.runDue()
  const again = await admin.call(feedRuns.get, { id: run.id })
  expect(again).toMatchObject({ answers: {}, questions: [{ key: 'otherStock' }] })
  await admin.call(feedRuns.readAgain, { id: run.id, lotId: second })
  await forecourt.jobs.runDue()
  expect(await admin.call(feedRuns.get, { id: run.id })).toMatchObject({ changed: 1, questions: [] })
})

test('a stock number of two vehicles on one lot is that of neither, unless year or make tell which', async () => {
  const lotId = await ford.addLot()
  const own = {
    stock: 'NS1',
    make: 'Ford',
    priceCents: 2_000_000,
    status: 'live',
    locksEdits: false,
  } as const
  const [older, newer] = ['1FMCU9GD8LUA00017', '1FTEW1EP0PA900026']
  await ford.addVehicle({ ...own, lotId, vin: older, year: 2020, model: 'Escape' })
  await ford.addVehicle({ ...own, lotId, vin: newer, year: 2023, model: 'F-150' })
  const priced = async () => (await onLot(lotId)).map(({ vin, price_cents }) => [vin, Number(price_cents)])
  const run = await uploadFeed(admin, { lotId }, csv('Stock,Price', 'NS1,18000'))
  expect(run).toMatchObject({ new: 0, changed: 0, refused: 1 })
  expect((await rowsOf(admin, run.id, 'refused'))[0]?.reasons).toEqual([
    `The stock number is that of 2 vehicles on this lot (2020 Ford Escape ${older}; 2023 Ford F-150 ${newer}). Add the VIN.`,
  ])
  await admin.call(feedRuns.cancel, { id: run.id })
  await apply(admin, (await uploadFeed(admin, { lotId }, csv('Stock,Year,Price', 'NS1,2020,18000'))).id)
  expect(await priced()).toEqual(
    expect.arrayContaining([
      [older, 1_800_000],
      [newer, 2_000_000],
    ]),
  )
})

test('vehicles that get the stock numbers of others are asked about, and keep theirs or take them', async () => {
  const lotId = await ford.addLot()
  const [one, other] = ['1FMCU9GD7LUA00018', '1FTEW1EP2PA900027']
  const head = 'VIN,Stock,Year,Make,Model,Price'
  const rows = (first: string, second: string, price = 19_995) => [
    `${one},${first},2020,Ford,Escape,${price}`,
    `${other},${second},2023,Ford,F-150,31995`,
  ]
  const stocks = async () => (await onLot(lotId)).map(({ vin, price_cents }) => [vin, Number(price_cents)])
  await apply(admin, (await uploadFeed(admin, { lotId }, csv(head, ...rows('TS1', 'TS2')))).id)
  // The column is sorted by itself, or one number is copied.
  for (const [file, count] of [
    [rows('TS2', 'TS1'), 2],
    [rows('TS2', 'TS2').slice(0, 1), 1],
  ] as const) {
    const run = await uploadFeed(admin, { lotId }, csv(head, ...file))
    expect(run.questions).toMatchObject([{ kind: 'takenStock', rows: count }])
    expect(run.questions[0]?.value).toBe(`TS2, that of the 2023 Ford F-150 ${other}`)
    await expect(admin.call(feedRuns.apply, { id: run.id })).toRefuse(409, 'Answer the questions')
    expect(await answer(run.id, { takenStock: 'leave' })).toMatchObject({ changed: 0, unchanged: count })
    expect(await answer(run.id, { takenStock: 'take' })).toMatchObject({ changed: count, questions: [] })
    await admin.call(feedRuns.cancel, { id: run.id })
  }
  const priced = await uploadFeed(admin, { lotId }, csv(head, ...rows('TS2', 'TS1', 18_995)))
  await answer(priced.id, { takenStock: 'leave' })
  await apply(admin, priced.id)
  expect(await stocks()).toEqual([
    [one, 1_899_500],
    [other, 3_199_500],
  ])
})

test('a source whose file gives vehicles the stock numbers of others waits for a person', async () => {
  const lotId = await ford.addLot()
  const { id: sourceId } = await admin.call(feedSources.add, { name: 'Sorted column', lotIds: [lotId] })
  const head = 'VIN,Stock,Year,Make,Model,Price'
  const file = (first: string, second: string) =>
    csv(
      head,
      `1FMCU9GD9LUA00019,${first},2020,Ford,Escape,19995`,
      `1FTEW1EP4PA900031,${second},2023,Ford,F-150,31995`,
    )
  await apply(admin, (await uploadFeed(admin, { sourceId }, file('SC1', 'SC2'))).id)
  expect(await uploadFeed(admin, { sourceId }, file('SC2', 'SC1'))).toMatchObject({
    status: 'review',
    questions: [{ kind: 'takenStock', rows: 2 }],
  })
  // Once a later file is applied, it can't be applied anymore, and says so.
  const { results } = await admin.call(feedRuns.list, {
    filter: `sourceName == "Sorted column"`,
    sort: '-createdAt',
  })
  await apply(admin, (await uploadFeed(admin, { sourceId }, file('SC1', 'SC3'))).id)
  expect(await admin.call(feedRuns.get, { id: results[0]?.id ?? '' })).toMatchObject({
    status: 'canceled',
    error: 'A later file from this feed source was applied: feed.csv.',
  })
})

test('a price list with stock numbers and without lots finds each vehicle on the one lot where it is in stock', async () => {
  const { first, second } = await stocked('PL')
  await ford.addVehicle({ lotId: second, stock: 'PL00', year: 2019, make: 'Kia', status: 'live' })
  const list = csv('Price,Stock', '18000,PL01', '18000,PL11', '18000,PL00', '18000,PL99')
  const run = await uploadFeed(admin, {}, list)
  expect(run).toMatchObject({ new: 0, changed: 2, refused: 2 })
  await apply(admin, run.id)
  const prices = [...(await onLot(first)), ...(await onLot(second))].map(({ price_cents }) => price_cents)
  expect(prices.filter((one) => Number(one) === 1_800_000)).toHaveLength(2)
})

test('two rows with one stock number and other values change neither; a copy of a row is left out', async () => {
  const { first } = await stocked('TW')
  const run = await uploadFeed(
    admin,
    { lotId: first },
    csv(
      'Price,Stock,Mileage',
      '18000,TW00,20000',
      '19000,TW00,20000',
      '18500,TW01,20001',
      '18500,TW01,20001',
    ),
  )
  expect(run).toMatchObject({ new: 0, changed: 1, refused: 3 })
  expect((await rowsOf(admin, run.id, 'refused')).map(({ reasons }) => reasons[0])).toEqual(
    expect.arrayContaining(['Another row has the same stock number and other values. Add the VIN.']),
  )
  await admin.call(feedRuns.cancel, { id: run.id })
})

test('the make of all vehicles of a file, and its lot, are not those of the next file with the same columns', async () => {
  const [one, other] = [await ford.addLot(), await ford.addLot()]
  const own = { year: 2023, priceCents: 3_000_000, status: 'live', locksEdits: false } as const
  const [ford1, honda] = ['1FTEW1EP6PA900032', '2HGFE2F59PH900033']
  await ford.addVehicle({ ...own, lotId: one, vin: ford1, stock: 'CM1', make: 'Ford', model: 'F-150' })
  await ford.addVehicle({ ...own, lotId: other, vin: honda, stock: 'CM2', make: 'Honda', model: 'Civic' })
  const list = (vin: string, stock: string, price: number) =>
    csv('VIN,Stock,Selling Price', `${vin},${stock},${price}`)
  await apply(admin, (await uploadFeed(admin, { lotId: one }, list(ford1, 'CM1', 29_000))).id)
  const next = await uploadFeed(admin, {}, list(honda, 'CM2', 29_500))
  expect(next).toMatchObject({ new: 0, changed: 1, questions: [], reviewReasons: [] })
  const fields = (await rowsOf(admin, next.id, 'changed')).flatMap(({ changes }) =>
    changes.map(({ field }) => field),
  )
  expect(fields).toContain('price')
  expect(fields).not.toContain('make')
  await admin.call(feedRuns.cancel, { id: next.id })
})

test('rows that give one stock number two statuses, or a VIN and none, change nothing by the number', async () => {
  const { first } = await stocked('TS')
  const twice = await uploadFeed(admin, { lotId: first }, csv('Stock,Status', 'TS00,Sold', 'TS00,For sale'))
  expect(twice).toMatchObject({ new: 0, changed: 0, refused: 2 })
  await admin.call(feedRuns.cancel, { id: twice.id })
  const vin = '1FTEW1EP8PA900033'
  const row = (given: string) => `${given},TV1,2023,Ford,F-150,31995`
  const head = 'VIN,Stock,Year,Make,Model,Price'
  await apply(admin, (await uploadFeed(admin, { lotId: first }, csv(head, row(vin)))).id)
  const both = await uploadFeed(admin, { lotId: first }, csv(head, row(vin), row('')))
  expect(both).toMatchObject({ new: 0, refused: 1 })
  await admin.call(feedRuns.cancel, { id: both.id })
})
