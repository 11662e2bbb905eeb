import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBeside } from '#server/database/maintenance.ts'
import { withOwner } from '#server/database/open-database.ts'
import { readSettings } from '#server/environment.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const banner = (page: Page) => page.getByRole('button', { name: /You are Impersonating northgate\.dealer/ })

/** The hour of every skin is over so many seconds from now: nobody waits here for 60 minutes. */
async function endSkinsIn(seconds: number): Promise<void> {
  const database = await openBeside(readSettings({ FORECOURT_HOME: product().home }), () => {})
  try {
    const { rowCount } = await withOwner(database.owner, (owner) =>
      owner.query(
        `update iam.sessions set impersonation_ends_at = now() + $1 * interval '1 second'
        where impersonation_ends_at is not null`,
        [seconds],
      ),
    )
    expect(rowCount).toBe(1)
  } finally {
    await database.stop()
  }
}

test('after its hour both tabs are the own person again, without a question and without signing in', async () => {
  const page = await newPage()
  await signIn(page, 'super', 'Forecourt Operations')
  await page.goto('/customers/people?search=ortega')
  await button(page, 'Impersonate Luis Ortega').click()
  const dialog = page.getByRole('dialog', { name: 'Impersonate Luis Ortega' })
  await dialog.getByRole('button', { name: 'Look as Luis Ortega' }).click()
  await see(banner(page), page.getByText('60 min left', { exact: true }))

  const other = await page.context().newPage()
  await other.goto('/customers/lots')
  await see(banner(other))
  await endSkinsIn(20)
  await Promise.all([page, other].map((tab) => tab.reload()))
  await see(banner(other), banner(page), page.getByText('1 min left', { exact: true }))
  // The banner looks at the time every ten seconds.
  await Promise.all([page, other].map((tab) => banner(tab).waitFor({ state: 'hidden', timeout: 60_000 })))
  for (const tab of [page, other]) {
    await tab.waitForURL('**/dashboard')
    await see(
      heading(tab, /^Good \w+, Robin$/),
      tab.getByRole('banner').getByRole('button', { name: 'Robin Hale' }),
    )
    await miss(tab.getByRole('dialog'))
  }
  await page.goto('/account/sessions')
  await see(page.getByText('This session'))
  expect(await banner(page).count()).toBe(0)
})
