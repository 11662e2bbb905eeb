import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { stage } from './stage.ts'
import { button, drawer, field, heading, lotLink, miss, see, signIn } from './steps.ts'

const { visitor } = stage()

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Every route, and what stands there once it is whole. */
const ROUTES: readonly { url: string; whole: (page: Page) => Promise<void> }[] = [
  { url: '/auth/signin', whole: (page) => see(button(page, 'Sign in')) },
  { url: '/auth/set-up?token=x', whole: (page) => see(button(page, 'Set up')) },
  { url: '/auth/organization', whole: (page) => see(page.getByRole('button', { name: 'Northgate Toyota' })) },
  {
    url: '/dashboard',
    whole: (page) => see(page.getByText('Latest changes'), page.getByText('Lots by type')),
  },
  { url: '/customers/lots', whole: (page) => see(lotLink(page, 'Fulton overflow')) },
  { url: '/customers/lots?missing=address', whole: (page) => see(page.getByText(/^1 of 5 lots/)) },
  { url: '/customers/lots?lot=new', whole: (page) => see(field(page, 'Code'), field(page, 'Postal code')) },
  { url: '/nowhere', whole: (page) => see(heading(page, 'Page not found')) },
]

/** Each pair of scheme, width and direction occurs once. */
const VIEWS = [
  { scheme: 'light', width: 1280, direction: 'ltr' },
  { scheme: 'light', width: 390, direction: 'rtl' },
  { scheme: 'dark', width: 1280, direction: 'rtl' },
  { scheme: 'dark', width: 390, direction: 'ltr' },
] as const

let signedIn: Awaited<ReturnType<BrowserContext['storageState']>> | undefined

beforeAll(async () => {
  const person = await visitor()
  await signIn(await person.newPage(), 'northgate.admin', 'Northgate Ford')
  signedIn = await person.storageState()
})

/** What a page breaks: the rule, where, and colours that axe could not tell apart at all. */
async function findBreaches(page: Page): Promise<string[]> {
  const { violations, incomplete } = await new AxeBuilder({ page }).setLegacyMode().withTags(RULES).analyze()
  const alike = incomplete.filter(({ nodes }) =>
    nodes.some(({ any }) => any.some(({ data }) => JSON.stringify(data ?? '').includes('equalRatio'))),
  )
  return [...violations, ...alike].map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
  )
}

test.for(VIEWS)(
  'nothing to complain of in $scheme, $width px, $direction',
  async ({ scheme, width, direction }) => {
    const person = await visitor({
      colorScheme: scheme,
      viewport: { width, height: 800 },
      ...(signedIn && { storageState: signedIn }),
    })
    await person.addInitScript(
      `if (location.protocol === 'http:') localStorage.setItem('direction', '${direction}')`,
    )
    const page = await person.newPage()
    const breaches: string[] = []
    for (const { url, whole } of ROUTES) {
      await page.goto(url)
      await whole(page)
      breaches.push(...(await findBreaches(page)).map((breach) => `${url} ${breach}`))
    }
    expect(breaches).toEqual([])
  },
)

test('at 320 px nothing scrolls sideways and every control of the top bar is in view', async () => {
  const person = await visitor({
    viewport: { width: 320, height: 640 },
    ...(signedIn && { storageState: signedIn }),
  })
  const page = await person.newPage()
  for (const { url, whole } of ROUTES) {
    await page.goto(url)
    await whole(page)
    const sideways = await page
      .getByRole('main')
      .evaluate((main) => [
        document.documentElement.scrollWidth - innerWidth,
        main.scrollWidth - main.clientWidth,
      ])
    expect([url, ...sideways]).toEqual([url, 0, 0])
    const bar = page.getByRole('banner')
    for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
      const box = await control.boundingBox()
      expect([url, box && box.x >= 0 && box.x + box.width <= 320]).toEqual([url, true])
    }
  }
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
