import type { Page } from 'playwright-core'
import { findA11yViolations } from './find-a11y-violations.ts'
import { button, miss, openDashboard, see, signIn } from './steps.ts'

/** Problems of the overlays on every page: palette, shortcuts, customizer, user menu and one of its dialogs. */
export async function findOverlayProblems(page: Page, look: Record<string, unknown>): Promise<string[]> {
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.evaluate((text) => localStorage.setItem('appearance', text), JSON.stringify(look))
  await openDashboard(page)
  const problems: string[] = []
  const check = async (name: string) => {
    const found = await findA11yViolations(page)
    problems.push(...found.map((problem) => `${name} ${problem}`))
  }
  const close = async (name: string) => {
    await check(name)
    await page.keyboard.press('Escape')
    await miss(page.getByRole('dialog'))
  }
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search everything' })
  await see(palette.locator('[role=combobox]:focus'))
  await page.keyboard.type('da')
  await see(palette.getByRole('option', { name: /^Dana Whitfield/ }))
  await close('palette')
  await page.keyboard.press('?')
  await see(page.getByRole('dialog', { name: 'Shortcuts' }))
  await close('shortcuts')
  const user = page.getByRole('banner').getByRole('button').last()
  await user.click()
  await page.getByRole('menuitem', { name: 'Appearance' }).click()
  await see(page.getByRole('dialog', { name: 'Appearance' }))
  await close('customizer')
  await user.click()
  await see(page.getByRole('menuitem', { name: 'Change Password' }))
  await check('user menu')
  await page.getByRole('menuitem', { name: 'Change Password' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change Password' }).click()
  await close('change password')
  if (look['layout'] === 'horizontal') {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Customers' }).click()
    await close('menu')
  }
  return problems
}

/** Matches no rows: the forms are checked, not the list behind them. */
const RULE = 'stock == "none" && (lotId in ["1", "2"] || !(make.contains("or") && updatedAt >= daysAgo(30)))'

/** Problems of the filter forms, the builder and the text editor. */
export async function findFilterProblems(page: Page, { isPhone }: { isPhone: boolean }): Promise<string[]> {
  await page.goto(`/inventory/vehicle-data?filter=${encodeURIComponent(RULE)}`)
  const problems: string[] = []
  const check = async (name: string) => {
    const found = await findA11yViolations(page)
    problems.push(...found.map((problem) => `${name} ${problem}`))
  }
  await page.getByRole('button', { name: /^Filters? ?\d?$/ }).click()
  // A drawer has its name a moment after it opens.
  if (isPhone) await see(page.getByRole('dialog', { name: /./ }))
  await check('opened')
  if (isPhone) await page.getByRole('dialog').getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: 'Status' }).click()
  await see(page.getByRole('checkbox', { name: 'For sale' }))
  await check('form')
  await button(page, 'Back to fields').click()
  await button(page, 'Advanced').click()
  await see(page.getByRole('combobox', { name: 'Field of condition 2.2.1' }))
  await check('builder')
  const dialog = page.getByRole('dialog', { name: 'Filter vehicles' })
  await dialog.getByRole('radio', { name: 'Text' }).check()
  await page.getByRole('textbox', { name: 'Rule', exact: true }).press('End')
  await page.keyboard.type(' && mil')
  await see(page.getByRole('option', { name: /^mileage/ }))
  await check('text')
  return problems
}
