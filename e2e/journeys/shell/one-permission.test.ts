import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { withOwner } from '#server/database/open-database.ts'
import { Func, isPlatformOnly, Opr } from '#contract/permissions.ts'
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

let page: Page
const refused: string[] = []
beforeAll(async () => {
  page = await newPage()
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(`${page.url()}: ${answer.url()}`)
  })
})

/** Opens the first page as its user does after signing in, and the first row of it. @returns what they have access to */
async function walk(): Promise<'a page' | 'nothing'> {
  refused.length = 0
  await signInAgain(page, product(), USER, ORGANIZATION)
  await page.goto('/')
  await page.waitForURL((url) => url.pathname !== '/')
  await see(page.getByRole('main').getByRole('heading').first())
  await page.waitForLoadState('networkidle')
  expect(refused).toEqual([])
  if ((await forbidden().count()) > 0) {
    await miss(page.getByRole('main').getByRole('link'))
    return 'nothing'
  }
  const link = page.getByRole('main').locator('a.fc-name').first()
  if ((await link.count()) === 0) return 'a page'
  await link.click()
  await page.waitForLoadState('networkidle')
  expect({ refused, isForbidden: await forbidden().count() }).toEqual({ refused: [], isForbidden: 0 })
  return 'a page'
}

const forbidden = () => page.getByText("You don't have access to this page")

const SAMPLE = [Func.users, Func.pricingRules]

test('someone who may only list users or price rules starts there, and nothing they see is refused', async () => {
  for (const { func } of SAMPLE) {
    await hold([{ func, opr: Opr.list }])
    expect(await walk()).toBe('a page')
  }
  await page.goto('/dashboard')
  await see(heading(page, 'Dashboard'), forbidden())
  await page.getByRole('link', { name: 'Go to Pricing rules' }).click()
  await see(heading(page, 'Pricing rules'))
  await miss(forbidden())
})

/** No page of the menu needs one of these: they are parts of other pages. */
const WITHOUT_PAGE: readonly number[] = [
  Func.activityData,
  Func.evidence,
  Func.carbonEmission,
  Func.carbonInsights,
  Func.participants,
  Func.sessionsOfOthers,
  Func.jobsAndHealth,
  Func.dataExport,
  Func.vehicleCost,
].map(({ func }) => func)

test.for(LISTED)(
  'someone with $title alone starts on a page they may see',
  { tags: 'release' },
  async ({ func, operations }) => {
    const expected = WITHOUT_PAGE.includes(func) ? 'nothing' : 'a page'
    await hold([{ func, opr: Opr.list }])
    expect(await walk()).toBe(expected)
    const reading = operations.filter((opr) => opr === Opr.list || opr === Opr.read)
    await hold(reading.map((opr) => ({ func, opr })))
    await walk()
  },
)
