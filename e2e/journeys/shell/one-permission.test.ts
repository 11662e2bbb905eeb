import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withOwner } from '#server/database/open-database.ts'
import { Func, isPlatformOnly, Opr } from '#contract/permissions.ts'
import { crawlLinks } from '#e2e/harness/crawl-links.ts'
import { stage } from '#e2e/harness/stage.ts'
import { heading, miss, see, signInAgain } from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()
const USER = 'northgate.auditor'
const ORGANIZATION = 'Northgate Ford'

/** Gives the user's type exactly these permissions. */
const hold = (permissions: readonly { func: number; opr: number }[]) =>
  withOwner(product().owner, async (owner) => {
    await owner.query(
      `delete from user_type_permissions p using users u
      where u.user_name = $1 and p.customer_id = u.customer_id and p.user_type_id = u.user_type_id`,
      [USER],
    )
    await owner.query(
      `insert into user_type_permissions (customer_id, user_type_id, func, opr)
      select u.customer_id, u.user_type_id, p.func, p.opr from users u,
        unnest($2::integer[], $3::integer[]) p (func, opr) where u.user_name = $1`,
      [USER, permissions.map(({ func }) => func), permissions.map(({ opr }) => opr)],
    )
  })

const LISTED = Object.values(Func).filter(
  ({ func, operations }) => !isPlatformOnly(func) && operations.some((opr) => opr === Opr.list),
)

/** Opens every kind of link that the user is shown, from the page on which they start. @returns the dead ends */
async function walk(page: Page): Promise<string[]> {
  await signInAgain(page, product(), USER, ORGANIZATION)
  const { deadEnds } = await crawlLinks(page, { start: '/' })
  return deadEnds
}

test('someone who may only list price rules starts there, and nothing they see is refused', async () => {
  const page = await newPage()
  await hold([{ func: Func.pricingRules.func, opr: Opr.list }])
  expect(await walk(page)).toEqual([])
  await page.goto('/dashboard')
  const forbidden = page.getByText("You don't have access to this page")
  await see(heading(page, 'Dashboard'), forbidden)
  await page.getByRole('link', { name: 'Go to Pricing rules' }).click()
  await see(heading(page, 'Pricing rules'))
  await miss(forbidden)
})

test.for(LISTED)(
  'nothing that is shown to someone with $title is refused',
  { tags: 'release' },
  async ({ func, operations }) => {
    const page = await newPage()
    await hold([{ func, opr: Opr.list }])
    const listing = await walk(page)
    const reading = operations.filter((opr) => opr === Opr.list || opr === Opr.read)
    await hold(reading.map((opr) => ({ func, opr })))
    expect({ listing, reading: await walk(page) }).toEqual({ listing: [], reading: [] })
  },
)
