import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })

async function openDetails(page: Page): Promise<void> {
  await page.goto('/customers/details')
  await see(heading(page, 'Details'), field(page, 'Legal name'))
}

test('an administrator edits and reorders fees in whole cents, and can undo', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openDetails(page)
  const fees = page.getByRole('region', { name: 'Mandatory fees' })
  const before = await fees.getByRole('listitem').count()
  await button(page, 'Add fee').click()
  const added = fees.getByRole('listitem').nth(before)
  await see(page.getByText('1 field changed'))
  await page.keyboard.press('Control+s')
  await see(added.getByText('Name is required.'), added.getByText('Amount must be a number.'))
  await added.getByLabel('Name').fill('Key replacement')
  await added.getByLabel('Amount').fill('1,234.5')
  await miss(added.getByText('Amount must be a number.'))
  const effect = page.getByRole('region', { name: 'Effect on totals' })
  await see(effect.getByText('What saving changes for buyers:'), effect.getByText('all higher'))
  const saving = page.waitForRequest((request) => request.url().endsWith(customerDetails.update.path))
  await page.keyboard.press('Control+s')
  const sent: unknown = (await saving).postDataJSON()
  expect(sent).toMatchObject({ fees: expect.arrayContaining([expect.objectContaining({ cents: 123450 })]) })
  // It moves all totals.
  await page
    .getByRole('dialog', { name: 'Save unusual prices?' })
    .getByRole('button', { name: 'Save prices' })
    .click()
  await see(notice(page, 'Details saved'))
  await see(page.getByText(/Changed .*mandatory fees/).first())

  await page.reload()
  await see(field(page, 'Legal name'))
  expect(await added.getByLabel('Amount').inputValue()).toBe('1234.50')
  await page.getByRole('button', { name: 'Remove Key replacement' }).click()
  await see(page.getByText('Key replacement removed'))
  expect(await fees.getByRole('listitem').count()).toBe(before)
  await fees.getByRole('button', { name: 'Undo' }).click()
  expect(await added.getByLabel('Amount').inputValue()).toBe('1234.50')
  await miss(page.getByText('1 field changed'))
})

test(
  'leaving with unsaved changes asks; discarding restores the loaded values',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openDetails(page)
    const before = await field(page, 'Legal name').inputValue()
    await field(page, 'Legal name').fill('Northgate Holdings')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lots' }).click()
    const question = page.getByRole('dialog', { name: 'There are unsaved changes.' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await miss(question)
    await button(page, 'Discard').click()
    expect(await field(page, 'Legal name').inputValue()).toBe(before)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lots' }).click()
    await see(heading(page, 'Lots'))
  },
)

test(
  'a user with permission but organization reach sees why nothing can be changed',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const lock = 'Only users with access to the whole customer can change these details.'
    await page.route(`**${customerDetails.get.path}`, async (route) => {
      const answer = await route.fetch()
      const { data, ...rest } = await answer.json()
      await route.fulfill({ response: answer, json: { ...rest, data: { ...data, lock } } })
    })
    await openDetails(page)
    await see(page.getByText(lock))
    expect(await field(page, 'Legal name').isEditable()).toBe(false)
    expect(await page.getByRole('button', { name: /^(Add|Remove|Move) / }).count()).toBe(0)
  },
)
