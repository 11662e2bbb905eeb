import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBreaches, findUnseen } from './find-breaches.ts'
import { show } from './page-case.ts'
import { VIEWS } from './pages.ts'
import { signedIn } from './signed-in.ts'
import { stage } from './stage.ts'
import { button, drawer, field, heading, lotLink, miss, see } from './steps.ts'

const { visitor } = stage()
const stateOf = signedIn({ visitor })

/** A wide screen, and a phone whose script runs the other way; each in light, and mirrored in the dark. */
const SIGHTS = [
  { width: 1280, direction: 'ltr' },
  { width: 390, direction: 'rtl' },
] as const

const HEIGHT = 800
/** WCAG 1.4.10: a page of 1280 px at 400 %. */
const NARROW = 320

/** Every page of the product in one test. */
const LONG = { timeout: 600_000 }

/** The views of everybody, person by person: one browser profile each. */
const PEOPLE = [...Map.groupBy(VIEWS, ({ person }) => person)].map(([person, views]) => ({ person, views }))

async function openAs(
  person: string | null,
  { width, direction }: { width: number; direction: string },
): Promise<Page> {
  const context = await visitor({
    viewport: { width, height: HEIGHT },
    ...(person !== null && { storageState: await stateOf(person) }),
  })
  await context.addInitScript(
    `if (location.protocol === 'http:') localStorage.setItem('appearance', '{"direction":"${direction}"}')`,
  )
  return context.newPage()
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

test.for(SIGHTS)('nothing to complain of at $width px, $direction', LONG, async (sight) => {
  const breaches: string[] = []
  for (const { person, views } of PEOPLE) {
    const page = await openAs(person, sight)
    for (const { name, ...view } of views) {
      await show(page, view)
      const found = await breachesOf(page)
      if (sight.width < 500) found.push(...(await outOfSight(page)))
      breaches.push(...found.map((breach) => `${name} ${breach}`))
    }
  }
  expect(breaches).toEqual([])
})

test('signing in, adding a lot, saving and deleting it need no mouse, and the focus is never lost', async () => {
  const person = await visitor()
  const page = await person.newPage()
  const { keyboard } = page
  const focused = () => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
  /** Tabs until the focus is there. */
  const reach = async (name: RegExp | string, { isBack = false } = {}) => {
    const isThere = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )
    for (let steps = 0; steps < 40; steps += 1) {
      await keyboard.press(isBack ? 'Shift+Tab' : 'Tab')
      expect(await focused()).not.toBe('BODY')
      if ((await isThere()).match(name)) return
    }
    throw new Error(`The keyboard does not reach ${String(name)}.`)
  }

  await page.goto('/auth/signin')
  await see(button(page, 'Sign in'))
  await keyboard.type('northgate.dealer')
  await keyboard.press('Tab')
  await keyboard.type('DemoForecourt7!')
  await keyboard.press('Enter')
  await see(heading(page, /^Good \w+, Luis$/))
  await expect.poll(focused).toBe('H1')
  await reach(/^Lots$/, { isBack: true })
  await keyboard.press('Enter')
  await see(lotLink(page, 'Northgate Ford'))
  await expect.poll(focused).toBe('H1')
  await reach(/^Add lot$/)
  await keyboard.press('Enter')
  await see(field(page, 'Code'))
  await expect.poll(() => field(page, 'Code').evaluate((code) => code === document.activeElement)).toBe(true)
  await keyboard.type('kbd')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('Key Street')
  await keyboard.press('Control+s')
  await see(drawer(page).getByText(/^Lot KBD, changed/))
  expect(await focused()).not.toBe('BODY')
  await reach(/^Delete lot$/)
  await keyboard.press('Enter')
  await see(page.getByRole('dialog', { name: 'Delete lot KBD?' }))
  await reach(/^Delete lot$/)
  await keyboard.press('Enter')
  await miss(drawer(page), lotLink(page, 'Key Street'))
  expect(await focused()).not.toBe('BODY')
})
