import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addYear } from './carbon-year.ts'
import { stage } from './stage.ts'
import { button, drawer, see, signIn } from './steps.ts'

const { page: newPage } = stage()

/** Puts a block on the clipboard of the page and pastes it over the active cell. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('grid').evaluate((grid, block) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', block)
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

async function openSource(page: Page, inventory: string, source: string): Promise<void> {
  await page.goto(`/carbon/emission?inventory=${inventory}&tab=activity&source=${source}`)
  await page.getByRole('grid').focus()
}

test('twelve gas bills and one of electricity become both totals, each with its formula', async () => {
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

  // Nothing is lost with the tab.
  const other = await page.context().newPage()
  await page.close({ runBeforeUnload: false })
  await openSource(other, id, gas)
  await see(
    other.getByText('What you wrote here and did not save is back.'),
    other.getByText('12 rows changed'),
  )
  await other.keyboard.press('Control+s')
  await see(other.getByRole('button', { name: 'Submit 12 records' }))
  await see(other.getByText('Comes to', { exact: true }))
  await button(other, 'Submit 12 records').click()
  await see(other.getByRole('gridcell', { name: 'Submitted' }).first())

  await openSource(other, id, power)
  await paste(other, 'From\tTo\tQuantity\tUnit\n2025-01-01\t2025-12-31\t120000\tkWh')
  await other.keyboard.press('Control+s')
  await button(other, 'Submit 1 record').click()
  await openSource(other, id, otherGas)
  // By keys alone, with one figure that cannot be read.
  await other.keyboard.type('1/1/2025')
  await other.keyboard.press('Tab')
  await other.keyboard.type('12/31/2025')
  await other.keyboard.press('Tab')
  await other.keyboard.type('5,00')
  await other.keyboard.press('Enter')
  await see(other.getByText('Write 5.00 if that is what it says.').last())
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
  await see(other.getByText(/approved|done/).first())

  await other.goto(`/carbon/insights?inventory=${id}`)
  const totals = other.getByRole('region', { name: 'Totals' })
  await see(totals.getByText('Total, location-based'), totals.getByText('Total, market-based'))
  await see(totals.getByText('Biogenic CO2, apart'), other.getByText('Not assessed').first())
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
