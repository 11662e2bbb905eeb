import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBreaches, findUnseen } from './find-breaches.ts'
import { show } from './page-case.ts'
import { VIEWS } from '#e2e/pages/pages.ts'
import { signedIn } from './signed-in.ts'
import type { Stage } from './stage.ts'

const SCREEN = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
/** WCAG 1.4.10: a page of 1280 px at 400 %. */
const NARROW = { width: 320, height: 800 }

/** So many views are one test: long enough to share what a browser has loaded, short enough to be tried again. */
const AT_ONCE = 6
const LONG = { timeout: 240_000 }

/** The views, some of one person at a time: one browser profile each. */
const GROUPS = [...Map.groupBy(VIEWS, ({ person }) => person)].flatMap(([person, views]) =>
  Array.from({ length: Math.ceil(views.length / AT_ONCE) }, (_, at) => {
    const some = views.slice(at * AT_ONCE, (at + 1) * AT_ONCE)
    return { person, views: some, names: some.map(({ name }) => name).join(', ') }
  }),
)

/**
 * Looks at half of the views of the product: each on a screen as it is and in the dark and mirrored, then on a phone
 * whose script runs the other way, and at 320 px. Declares a test for some views each.
 */
export function lookAtEveryView({
  visitor,
  product,
  half,
}: Pick<Stage, 'visitor' | 'product'> & { half: 0 | 1 }): void {
  const stateOf = signedIn({ visitor, product })

  test.for(GROUPS.filter((_, at) => at % 2 === half))(
    'nothing to complain of for $person: $names',
    LONG,
    async ({ person, views }) => {
      const context = await visitor({
        viewport: SCREEN,
        ...(person !== null && { storageState: await stateOf(person) }),
      })
      const page = await context.newPage()
      const breaches: string[] = []
      for (const { name, ...view } of views) {
        await page.setViewportSize(SCREEN)
        await show(page, view)
        const found = await breachesOf(page)
        breaches.push(...found.map((breach) => `${name} ${breach}`))
      }
      expect(breaches).toEqual([])
    },
  )
}

/** What the page breaks in any of the sights. Its words stay the same: what looks alone breaks is asked in the dark. */
async function breachesOf(page: Page): Promise<string[]> {
  const asItIs = await findBreaches(page)
  const html = page.locator('html')
  const direction = await html.getAttribute('dir')
  const turn = (to: string | null) => html.evaluate((root, dir) => root.setAttribute('dir', dir ?? 'ltr'), to)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await turn(direction === 'rtl' ? 'ltr' : 'rtl')
  const otherwise = await findUnseen(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor()
  await page.setViewportSize(PHONE)
  const onPhone = await findBreaches(page)
  const narrow = await outOfSight(page)
  await turn(direction)
  return [
    ...asItIs,
    ...otherwise.map((breach) => `dark and mirrored ${breach}`),
    ...onPhone.map((breach) => `on a phone ${breach}`),
    ...narrow.map((breach) => `at ${NARROW.width} px ${breach}`),
  ]
}

/** On a narrow phone: what scrolls sideways, and controls of the top bar that are out of sight. */
async function outOfSight(page: Page): Promise<string[]> {
  await page.setViewportSize(NARROW)
  // By its tag: what lies over the page hides it from those who cannot see.
  const main = page.locator('main')
  const over = () =>
    main.evaluate((element) =>
      Math.max(document.documentElement.scrollWidth - innerWidth, element.scrollWidth - element.clientWidth),
    )
  // The page hears of its new width a moment later.
  await expect
    .poll(over, { timeout: 3_000 })
    .toBeLessThanOrEqual(0)
    .catch(() => {})
  const sideways = await over()
  const outside: string[] = []
  const bar = page.getByRole('banner')
  for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
    const box = await control.boundingBox()
    if (box && (box.x < 0 || box.x + box.width > NARROW.width))
      outside.push('a control of the top bar is outside')
  }
  return [...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : []), ...outside]
}
