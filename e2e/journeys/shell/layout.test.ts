import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, openDashboard, openLots, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

type Look = { layout?: 'horizontal'; direction?: 'rtl'; isMenuFixed?: false; isHeaderFixed?: false }

/** Signed in, with this appearance set on this machine. */
async function openWith(look: Look, width: number, userName = 'super'): Promise<Page> {
  const page = await newPage({ viewport: { width, height: 600 } })
  await signIn(page, userName, ...(userName === 'super' ? ['Northgate Ford'] : []))
  await page.evaluate((text) => localStorage.setItem('appearance', text), JSON.stringify(look))
  await openDashboard(page)
  return page
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const left = async (page: Page) => (await menu(page).boundingBox())?.x ?? 0

test.for([
  { direction: 'ltr', sign: -1 },
  { direction: 'rtl', sign: 1 },
] as const)(
  'the arrows of the horizontal menu scroll by its width minus 80, $direction',
  async ({ direction, sign }) => {
    const page = await openWith({ layout: 'horizontal', ...(direction === 'rtl' && { direction }) }, 992)
    const [back, on] = [button(page, 'Scroll menu back'), button(page, 'Scroll menu forward')]
    expect(await back.count()).toBe(0)
    // No menu is that long yet, so the entries are made wide.
    await page.addStyleTag({ content: '.fc-menu-bar .fc-menu-item { min-inline-size: 600px }' })
    await page.setViewportSize({ width: 1000, height: 600 })
    await see(back, on)
    await expect.poll(async () => [await back.isDisabled(), await on.isDisabled()]).toEqual([true, false])
    const before = await left(page)
    const wrapper = await menu(page).evaluate((nav) => nav.parentElement?.clientWidth ?? 0)
    await on.click()
    await expect.poll(() => left(page)).toBeCloseTo(before + sign * (wrapper - 80), 0)
    await expect.poll(() => back.isDisabled()).toBe(false)
    // To the end, where the arrow becomes disabled, possibly while it is pressed.
    const press = () => on.dispatchEvent('click').then(() => on.isDisabled())
    await expect.poll(press).toBe(true)
  },
)

test(
  'groups of the horizontal menu open by keyboard, and Escape returns to them',
  { tags: 'release' },
  async () => {
    const page = await openWith({ layout: 'horizontal' }, 1280)
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : null,
    )
    await menu(page).getByRole('link', { name: 'Dashboard' }).focus()
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(focused).toBe('Customers')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('Users')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('Lots')
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe('Customers')
    // The group opens in the next frame: the second key waits for the effect of the first.
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('Users')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('Lots')
    await page.keyboard.press('Enter')
    await see(heading(page, 'Lots'))
    expect(await menu(page).getByRole('button', { name: 'Customers' }).getAttribute('aria-current')).toBe(
      'true',
    )
  },
)

test('at 991 px the menu is always a drawer, at 992 px it is as chosen', async () => {
  const page = await openWith({ layout: 'horizontal' }, 992)
  await see(menu(page).getByRole('button', { name: 'Customers' }))
  await page.setViewportSize({ width: 991, height: 600 })
  await miss(menu(page))
  await button(page, 'Open menu').click()
  await see(drawer(page).getByRole('link', { name: 'Lots' }))
  await drawer(page).getByRole('link', { name: 'Lots' }).click()
  await see(heading(page, 'Lots'))
  await miss(menu(page))
  await expect.poll(() => menu(page).count()).toBe(0)
})

test(
  'a top bar that is not fixed scrolls away with the page, and so does the menu',
  { tags: 'release' },
  async () => {
    const looks: readonly [Look, boolean, boolean][] = [
      [{}, true, true],
      [{ isHeaderFixed: false }, false, true],
      [{ isMenuFixed: false }, true, false],
      [{ isMenuFixed: false, isHeaderFixed: false }, false, false],
    ]
    for (const [look, hasBar, hasMenu] of looks) {
      const page = await openWith(look, 1280, 'northgate.dealer')
      await page.setViewportSize({ width: 1280, height: 320 })
      await see(page.getByText('Latest changes'))
      await page.mouse.move(700, 250)
      await page.mouse.wheel(0, 4000)
      const isInView = async (box: { y: number; height: number } | null) =>
        box !== null && box.y + box.height > 0
      const top = page.getByRole('banner')
      const first = menu(page).getByRole('link', { name: 'Dashboard' })
      await expect
        .poll(async () => [
          await isInView(await top.boundingBox()),
          await isInView(await first.boundingBox()),
        ])
        .toEqual([hasBar, hasMenu])
      // A new page starts at its top.
      await page.keyboard.press('Control+k')
      await see(page.getByRole('option', { name: /^Lots/ }), page.locator('[role=combobox]:focus'))
      await page.keyboard.type('lots')
      await page.keyboard.press('Enter')
      await see(heading(page, 'Lots'))
      await expect.poll(async () => (await top.boundingBox())?.y).toBe(0)
    }
  },
)

test(
  'the collapsed menu names its entries and stays collapsed after a reload',
  { tags: 'release' },
  async () => {
    const page = await openWith({}, 1280, 'northgate.dealer')
    await button(page, 'Collapse menu').click()
    await expect.poll(async () => (await menu(page).boundingBox())?.width).toBeLessThan(60)
    await page.reload()
    await see(menu(page).getByRole('link', { name: 'Lots' }))
    expect((await menu(page).boundingBox())?.width).toBeLessThan(60)
    await openLots(page)
    await button(page, 'Expand menu').click()
    await expect.poll(async () => (await menu(page).boundingBox())?.width).toBeGreaterThan(200)
  },
)
