import { expect, test } from 'vitest'
import { addYear } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test(
  'adds a source from the library with the keyboard, renames it, and undoes its removal',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const { id } = await addYear(page, { year: 2025 })
    await page.goto(`/carbon/emission?inventory=${id}`)
    await button(page, 'Add source').click()
    const dialog = page.getByRole('dialog', { name: 'New source' })
    await dialog.getByLabel('Name').fill('Cooling unit')
    await dialog.getByRole('combobox', { name: 'Activity' }).fill('R-404A')
    await see(page.getByRole('option', { name: /R-404A/ }).first())
    await page
      .getByRole('option', { name: /R-404A/ })
      .first()
      .click()
    await dialog.getByRole('combobox', { name: 'Facilities' }).click()
    await page.getByRole('option').first().click()
    await dialog.getByLabel('Meter or asset').fill('CU-7')
    await dialog.getByRole('button', { name: 'Add source' }).click()
    await see(page.getByText('Source added'))
    const cell = page.getByRole('checkbox', { name: /^Cooling unit at / })
    await see(cell.first())
    await expect.poll(() => cell.first().isChecked()).toBe(true)
    await see(page.getByRole('button', { name: /^CU-7, No data owner/ }))

    const head = page.getByRole('rowheader', { name: /Cooling unit/ }).getByRole('button')
    await head.click()
    await page.getByRole('menuitem', { name: 'Edit source' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Cooling unit' })
    await edit.getByLabel('Name').fill('Electricity')
    await edit.getByRole('button', { name: 'Save source' }).click()
    await see(edit.getByText('A standard source has this name. Choose one that tells them apart.'))
    await edit.getByLabel('Name').fill('Walk-in cooler')
    await edit.getByRole('button', { name: 'Save source' }).click()
    await see(page.getByRole('checkbox', { name: /^Walk-in cooler at / }).first())

    await page
      .getByRole('rowheader', { name: /Walk-in cooler/ })
      .getByRole('button')
      .click()
    await page.getByRole('menuitem', { name: 'Remove source' }).click()
    await see(page.getByText('Walk-in cooler removed'))
    await page
      .getByRole('checkbox', { name: /^Walk-in cooler at / })
      .first()
      .waitFor({ state: 'detached' })
    await button(page, 'Undo').click()
    await see(page.getByRole('button', { name: /^CU-7, No data owner/ }))
  },
)
