// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withOwner } from '#server/database/open-database.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signInAgain } from '#e2e/harness/steps.ts'
import { now } from '#e2e/harness/world.ts'

const { profile, product } = stage()

const banner = (page: Page) => page.getByRole('button', { name: /You are Impersonating northgate\.dealer/ })

/** Moves the end of every impersonation to this many seconds from now, instead of waiting 60 minutes. */
async function endImpersonationsIn(seconds: number): Promise<void> {
  const { rowCount } = await withOwner(product().owner, (owner) =>
    owner.query(
      'update iam.sessions set impersonation_ends_at = $1 where impersonation_ends_at is not null',
      [new Date(now() + seconds * 1000).toISOString()],
    ),
  )
  expect(rowCount).toBe(1)
}

test('at the time limit, both tabs switch back to the own user without a prompt or a sign-in', async () => {
  const context = await profile()
  await context.clock.install({ time: now() })
  const page = await context.newPage()
  await signInAgain(page, product(), 'super', 'Forecourt Operations')
  await page.goto('/customers/people?search=ortega')
  await button(page, 'Impersonate Luis Ortega').click()
  const dialog = page.getByRole('dialog', { name: 'Impersonate Luis Ortega' })
  await dialog.getByRole('button', { name: 'View as Luis Ortega' }).click()
  await see(banner(page), page.getByText('60 min left', { exact: true }))

  const other = await context.newPage()
  await other.goto('/customers/lots')
  await see(banner(other))
  await endImpersonationsIn(50)
  await Promise.all([page, other].map((tab) => tab.reload()))
  await see(banner(other), banner(page), page.getByText('1 min left', { exact: true }))
  await endImpersonationsIn(-1)
  // The banner checks the time every ten seconds.
  await context.clock.fastForward(60_000)
  await miss(banner(page), banner(other))
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
