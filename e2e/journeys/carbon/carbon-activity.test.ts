import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, paste, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

async function openSource(page: Page, inventory: string, source: string): Promise<void> {
  await page.goto(`/carbon/emission?inventory=${inventory}&tab=activity&source=${source}`)
  await page.getByRole('grid').focus()
}

test('twelve gas bills and one electricity bill give both totals, each with its formula', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, gas, power, otherGas } = await addYear(page)

  await openSource(page, id, gas)
  const bills = Array.from({ length: 12 }, (_, month) => {
    const last = new Date(Date.UTC(2025, month + 1, 0)).getUTCDate()
    return `${month + 1}/1/2025\t${month + 1}/${last}/2025\t"1,000"\ttherm\tgross\tG-${month + 1}`
  })
  await paste(page, `From\tTo\tQuantity\tUnit\tCalorific\tBill\n${bills.join('\n')}\n`)
  await see(page.getByRole('gridcell', { name: '12/31/2025' }), page.getByText('12 rows changed'))

  // Closing the tab loses nothing.
  const other = await page.context().newPage()
  await page.close({ runBeforeUnload: false })
  await openSource(other, id, gas)
  await see(other.getByText('Your unsaved changes were restored.'), other.getByText('12 rows changed'))
  await other.keyboard.press('Control+s')
  await see(other.getByRole('button', { name: 'Submit 12 records' }))
  await see(other.getByText('Calculated emissions', { exact: true }))
  await button(other, 'Submit 12 records').click()
  await see(other.getByRole('gridcell', { name: 'Submitted' }).first())

  await openSource(other, id, power)
  await paste(other, 'From\tTo\tQuantity\tUnit\n2025-01-01\t2025-12-31\t120000\tkWh')
  await other.keyboard.press('Control+s')
  await button(other, 'Submit 1 record').click()
  await see(other.getByRole('gridcell', { name: 'Submitted' }))
  await openSource(other, id, otherGas)
  // By keyboard only, with one number that can't be read.
  await other.keyboard.type('1/1/2025')
  await other.keyboard.press('Tab')
  await other.keyboard.type('12/31/2025')
  await other.keyboard.press('Tab')
  await other.keyboard.type('5,00')
  await other.keyboard.press('Enter')
  await see(other.getByText('If you mean 5.00, enter it that way.').last())
  await other.keyboard.press('ArrowUp')
  await other.keyboard.type('500')
  await other.keyboard.press('Tab')
  await other.keyboard.press('Tab')
  await other.keyboard.type('gr')
  await other.keyboard.press('Enter')
  await other.keyboard.press('Control+s')
  await button(other, 'Submit 1 record').click()
  await see(other.getByRole('gridcell', { name: 'Submitted' }))

  await other.goto(`/carbon/emission?inventory=${id}&tab=review`)
  await other.getByRole('checkbox', { name: 'All 14' }).check()
  await button(other, 'Approve').click()
  await see(other.getByText(/^\d+ records approved/).first())

  await other.goto(`/carbon/insights?inventory=${id}`)
  const totals = other.getByRole('region', { name: 'Totals' })
  await see(totals.getByText('Total, location-based'), totals.getByText('Total, market-based'))
  await see(totals.getByText('Biogenic CO2'), other.getByText('Not assessed').first())
  await see(
    other.getByRole('button', { name: /^Jan 2025: .* show rows$/ }),
    other.getByRole('link', { name: 'Compare with another year' }),
  )
  await other.getByRole('group', { name: 'By month and scope: show as' }).getByText('Table').click()
  await see(other.getByRole('region', { name: 'By month and scope, table' }).getByText('Dec 2025'))
  await other.getByRole('button', { name: /rows of Scope 1|rows of 1$/ }).click()
  await drawer(other)
    .getByRole('button', { name: /Natural gas/ })
    .first()
    .click()
  await see(
    drawer(other)
      .getByText(/53\.06/)
      .first(),
    drawer(other).getByText('Publisher'),
    drawer(other).getByText('Table', { exact: true }),
    drawer(other).getByText('Row', { exact: true }),
  )
  expect(other.url()).toContain('result=')
})

test(
  'chooses another matching factor for one row, saves it, and returns to the automatic one',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const letter = {
      name: 'Letter of the gas supplier',
      category: 'Stationary combustion',
      activity: 'combustion/natural-gas',
      scopes: ['1' as const],
      region: 'US',
      unit: 'mmBtu',
      calorificBasis: 'gross' as const,
      boundary: 'ttw' as const,
      validFrom: '2020-01-01',
      gases: [{ gas: 'CO2', basis: 'gas' as const, kg: '50' }],
      sourceNote: 'Letter of 2 March 2024',
    }
    const { affected } = await callAs(page, factors.preview, letter)
    await callAs(page, factors.add, { ...letter, affected })
    const { id, gas } = await addYear(page, { boundary: 'equity' })
    await openSource(page, id, gas)
    await paste(page, 'From\tTo\tQuantity\tUnit\tCalorific\n2025-01-01\t2025-01-31\t10\tmmBtu\tgross')
    const pane = page.getByRole('region', { name: 'Row emissions' })
    // Custom factors of the organization come first.
    await see(pane.getByText(/^Letter of the gas supplier, /), pane.getByText(/Selected automatically/))
    await pane.getByRole('button', { name: /^Other factors/ }).click()
    await pane
      .getByRole('button', { name: /^Choose Natural Gas, US EPA/ })
      .first()
      .click()
    await see(pane.getByText('Selected manually for this row.'), pane.getByRole('table', { name: 'By gas' }))
    await see(pane.getByRole('rowheader', { name: 'CH4' }), pane.getByText('0.28', { exact: true }))
    await see(page.getByText('1 row changed'))
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+s')
    await see(button(page, 'Submit 1 record'))

    // Another GWP set changes the result, so it asks.
    await page.goto(`/carbon/start?inventory=${id}`)
    await page.getByRole('combobox', { name: 'GWP set' }).click()
    await page.getByRole('option', { name: /^AR4/ }).click()
    await button(page, 'Save changes').click()
    const question = page.getByRole('dialog', { name: 'Change the results of 1 record?' })
    await see(question.getByText(/ → .* kg CO2e/))
    await question.getByRole('button', { name: 'Cancel' }).click()
    await see(page.getByText('1 field changed'))
    await button(page, 'Save changes').click()
    await question.getByRole('button', { name: 'Save and recalculate' }).click()
    await see(page.getByText('Inventory saved'))

    await openSource(page, id, gas)
    await see(pane.getByText('Selected manually for this row.'))
    await pane.getByRole('button', { name: 'Use automatic factor' }).click()
    await see(
      pane.getByText(/Selected automatically/),
      page.getByRole('gridcell', { name: /not saved/ }).first(),
    )
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+s')
    await see(page.getByRole('gridcell', { name: 'Letter of the gas supplier' }))
    expect(await pane.getByText('Selected manually for this row.').count()).toBe(0)
  },
)

test(
  "imports last year's totals by pasting, shows them in the insights, undoes the import and repeats it",
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Toyota')
    const { id } = await addYear(page, { boundary: 'equity' })
    await page.goto(`/carbon/emission?inventory=${id}&tab=imported`)
    await see(page.getByText('No imported totals yet.'))
    const all = await callAs(page, carbonAssignments.facilities, { inventory: id })
    const place = all.find(({ choice }) => choice === 'included')?.name ?? ''
    await page.getByRole('grid').focus()
    await paste(
      page,
      `Facility\tSource\tt CO2e\tNote\n${place}\tNatural gas\t36.5\tReport of 2025\n${place}\tUnicorns\t4\t`,
    )
    await see(page.getByText('2 totals to import'))
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+s')
    // A row that can't be read stays in the grid.
    await see(page.getByText('1 total to import'), page.getByText('Report of 2025'))
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await see(page.getByText('No imported totals yet.'))
    await page.getByRole('grid').focus()
    await paste(page, `Facility\tSource\tt CO2e\n${place}\tNatural gas\t36.5`)
    await page.keyboard.press('Control+s')
    await see(page.getByRole('rowheader', { name: new RegExp(place) }))
    await page.goto(`/carbon/insights?inventory=${id}`)
    await see(
      page.getByText('Including imported totals'),
      page.getByText('t CO2e as reported, not counted as coverage'),
    )
    expect(await page.getByText('No totals yet').count()).toBe(0)
  },
)

test(
  'compares two years as a bridge and as tables, and exports the comparison',
  { tags: 'release' },
  async () => {
    const page = await newPage({ viewport: { width: 390, height: 844 } })
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const { id } = await addYear(page, { year: 2031 })
    const { id: later } = await addYear(page, { year: 2032 })
    for (const [inventoryId, tonnes, year] of [
      [id, '10', 2031],
      [later, '7.5', 2032],
    ] as const) {
      const all = await callAs(page, carbonAssignments.facilities, { inventory: inventoryId })
      const facilityId = all.find(({ choice }) => choice === 'included')?.id ?? ''
      const days = { periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` }
      await callAs(page, importedTotals.add, {
        inventoryId,
        rows: [{ key: '1', facilityId, sourceType: 'natural_gas', tonnes, ...days }],
      })
    }
    // The prior year is preselected.
    await page.goto(`/carbon/compare?after=${later}`)
    const bridge = page.getByRole('list', { name: 'Change between inventories' })
    await see(bridge.getByText('10.0'), bridge.getByText('\u22122.5'), bridge.getByText('7.5'))
    await see(page.getByText(/Imported totals can't be split into effects/))
    await see(page.getByRole('region', { name: 'By facility, table' }))
    await page.goto(`/carbon/insights?inventory=${later}`)
    const why = page.getByRole('region', { name: 'Why it changed' })
    await see(why.getByText('at least 10.0'), why.getByText('\u22122.5'))
    await page.goto(`/carbon/compare?after=${later}`)
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export CSV').click()])
    expect(file.suggestedFilename()).toContain('.csv')
    await page.goto(`/carbon/compare?before=${later}&after=${later}`)
    await see(page.getByText('Choose another inventory to compare with.'))
  },
)

test(
  'at 1152 px no result is cut at the edge of the grid, also right to left',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.setViewportSize({ width: 1152, height: 800 })
    const { id, gas } = await addYear(page)
    await openSource(page, id, gas)
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate((direction) => {
        document.documentElement.dir = direction
      }, dir)
      const isWhole = await page.getByRole('columnheader', { name: 'Result, kg CO2e' }).evaluate((cell) => {
        const [own, frame] = [cell, cell.closest('.fc-grid-frame') ?? cell].map((one) =>
          one.getBoundingClientRect(),
        )
        return (
          own !== undefined &&
          frame !== undefined &&
          own.left >= frame.left - 1 &&
          own.right <= frame.right + 1
        )
      })
      expect([dir, isWhole]).toEqual([dir, true])
    }
  },
)
