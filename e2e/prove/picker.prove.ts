import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const picker = (page: Page) => page.getByRole('dialog', { name: 'Choose a picture' })
const inPicker = (page: Page, name: string) => picker(page).getByRole('button', { name, exact: true })
const choose = (page: Page) => button(page, 'Choose from media: logo')

test('the picker shows every state of a folder', async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'harbor.admin')
  const answer = (status: number, data: unknown) =>
    page.route(`**${files.getChildren.path}*`, (route) =>
      route.fulfill({
        status,
        contentType: 'application/json',
        body: JSON.stringify({ status: status === 200, data, message: status === 200 ? null : 'Not now.' }),
      }),
    )
  const states = [
    [403, null, "You don't have access to this folder"],
    [500, null, "Couldn't load this folder"],
    [200, { leafs: [], nodes: [] }, 'This folder is empty'],
  ] as const
  for (const [status, data, says] of states) {
    await answer(status, data)
    await page.goto('/administration/domain-white-label?domain=new')
    await choose(page).click()
    await see(picker(page).getByText(says))
    await inPicker(page, 'Cancel').click()
    await miss(picker(page))
    expect(await picker(page).count()).toBe(0)
    await page.unrouteAll()
  }
})
