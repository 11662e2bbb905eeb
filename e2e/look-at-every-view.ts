import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBreaches, findUnseen } from './find-breaches.ts'
import { show } from './page-case.ts'
import { VIEWS } from './pages.ts'
import { signedIn } from './signed-in.ts'

const HEIGHT = 800
/** WCAG 1.4.10: a page of 1280 px at 400 %. */
const NARROW = 320

/** Every page that one person sees, in one test. */
const LONG = { timeout: 600_000 }

/** The views of everybody, person by person: one browser profile each. */
const PEOPLE = [...Map.groupBy(VIEWS, ({ person }) => person)].map(([person, views]) => ({ person, views }))

type Visitor = (options?: BrowserContextOptions) => Promise<BrowserContext>
type Sight = { width: number; direction: 'ltr' | 'rtl' }

/**
 * Looks at every view of the product in one sight: as it is in light, and mirrored in the dark; on a phone at 320 px,
 * too. Declares a test for each person.
 */
export function lookAtEveryView({ visitor, sight }: { visitor: Visitor; sight: Sight }): void {
  const stateOf = signedIn({ visitor })

  test.for(PEOPLE)(
    `nothing to complain of at ${sight.width} px for $person`,
    LONG,
    async ({ person, views }) => {
      const context = await visitor({
        viewport: { width: sight.width, height: HEIGHT },
        ...(person !== null && { storageState: await stateOf(person) }),
      })
      await context.addInitScript(
        `if (location.protocol === 'http:') localStorage.setItem('appearance', '{"direction":"${sight.direction}"}')`,
      )
      const page = await context.newPage()
      const breaches: string[] = []
      for (const { name, ...view } of views) {
        await show(page, view)
        const found = await breachesOf(page)
        if (sight.width < 500) found.push(...(await outOfSight(page)))
        breaches.push(...found.map((breach) => `${name} ${breach}`))
      }
      expect(breaches).toEqual([])
    },
  )
}

/** What the page breaks as it is, and what of its looks in the dark and mirrored: its words stay the same. */
async function breachesOf(page: Page): Promise<string[]> {
  const asItIs = await findBreaches(page)
  const html = page.locator('html')
  const direction = await html.getAttribute('dir')
  const turn = (to: string | null) => html.evaluate((root, dir) => root.setAttribute('dir', dir ?? 'ltr'), to)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  await turn(direction === 'rtl' ? 'ltr' : 'rtl')
  const otherwise = await findUnseen(page)
  await turn(direction)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...asItIs, ...otherwise.map((breach) => `dark and mirrored ${breach}`)]
}

/** On a narrow phone: what scrolls sideways, and controls of the top bar that are out of sight. */
async function outOfSight(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: NARROW, height: HEIGHT })
  // By its tag: what lies over the page hides it from those who cannot see.
  const main = page.locator('main')
  const sideways = await main.evaluate((element) =>
    Math.max(document.documentElement.scrollWidth - innerWidth, element.scrollWidth - element.clientWidth),
  )
  const outside: string[] = []
  const bar = page.getByRole('banner')
  for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
    const box = await control.boundingBox()
    if (box && (box.x < 0 || box.x + box.width > NARROW)) outside.push('a control of the top bar is outside')
  }
  await page.setViewportSize(size ?? { width: NARROW, height: HEIGHT })
  return [...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : []), ...outside]
}
