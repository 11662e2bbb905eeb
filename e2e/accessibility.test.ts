import { expect, test } from 'vitest'
import { findBreaches } from './find-breaches.ts'
import { show } from './page-case.ts'
import { VIEWS } from './pages.ts'
import { signedIn } from './signed-in.ts'
import { stage } from './stage.ts'
import { button, drawer, field, heading, lotLink, miss, see } from './steps.ts'

const { visitor } = stage()
const stateOf = signedIn({ visitor })

/** Each pair of scheme, width and direction occurs once. */
const SIGHTS = [
  { scheme: 'light', width: 1280, direction: 'ltr' },
  { scheme: 'light', width: 390, direction: 'rtl' },
  { scheme: 'dark', width: 1280, direction: 'rtl' },
  { scheme: 'dark', width: 390, direction: 'ltr' },
] as const

/** Every page of the product in one test. */
const LONG = { timeout: 300_000 }

/** The views of everybody, person by person: one browser profile each. */
const PEOPLE = [...Map.groupBy(VIEWS, ({ person }) => person)].map(([person, views]) => ({ person, views }))

async function openAs(
  person: string | null,
  sight: { scheme?: 'light' | 'dark'; width: number; direction: string },
) {
  const context = await visitor({
    colorScheme: sight.scheme ?? 'light',
    viewport: { width: sight.width, height: 800 },
    ...(person !== null && { storageState: await stateOf(person) }),
  })
  await context.addInitScript(
    `if (location.protocol === 'http:') localStorage.setItem('appearance', '{"direction":"${sight.direction}"}')`,
  )
  return context.newPage()
}

test.for(SIGHTS)('nothing to complain of in $scheme, $width px, $direction', LONG, async (sight) => {
  const breaches: string[] = []
  for (const { person, views } of PEOPLE) {
    const page = await openAs(person, sight)
    for (const { name, ...view } of views) {
      await show(page, view)
      breaches.push(...(await findBreaches(page)).map((breach) => `${name} ${breach}`))
    }
  }
  expect(breaches).toEqual([])
})

test('at 320 px nothing scrolls sideways and every control of the top bar is in view', LONG, async () => {
  const wrong: string[] = []
  for (const { person, views } of PEOPLE) {
    const page = await openAs(person, { width: 320, direction: 'ltr' })
    for (const { name, ...view } of views) {
      await show(page, view)
      const sideways = await page
        .getByRole('main')
        .evaluate((main) =>
          Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth),
        )
      if (sideways > 0) wrong.push(`${name} scrolls ${sideways} px sideways`)
      const bar = page.getByRole('banner')
      for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
        const box = await control.boundingBox()
        if (box && (box.x < 0 || box.x + box.width > 320))
          wrong.push(`${name}: a control of the top bar is outside`)
      }
    }
  }
  expect(wrong).toEqual([])
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
