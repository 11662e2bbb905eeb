import { expect, test } from 'vitest'
import type { MenuItem } from '#contract/identity/auth.ts'
import { stage } from '#e2e/harness/stage.ts'
import { miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const item = (id: string, title: string, more: Partial<MenuItem> = {}): MenuItem => ({
  id,
  title,
  type: 'item',
  url: `/${id}`,
  icon: 'car',
  classes: null,
  hidden: false,
  external: false,
  target: null,
  badge: null,
  children: [],
  ...more,
})

/** Everything a menu can contain (specification section 3). */
const MENU: MenuItem[] = [
  item('dashboard', 'Dashboard'),
  item('stock', 'Stock', {
    type: 'group',
    url: null,
    children: [
      item('yards', 'Yards', {
        type: 'collapse',
        url: null,
        badge: { title: '4', type: 'warn' },
        children: [item('customers/lots', 'Lots'), item('secret', 'Secret', { hidden: true })],
      }),
      item('broken', 'Broken feeds', { badge: { title: '2', type: 'bad' } }),
      item('handbook', 'Handbook', { url: 'https://handbook.example/', external: true, target: '_blank' }),
    ],
  }),
]

test('groups, collapsible sections, badges, hidden and external items are rendered as sent by the server', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.route('**/api/auth/menu', (route) =>
    route.fulfill({
      contentType: 'application/json',
      body: JSON.stringify({ status: true, data: MENU, message: null }),
    }),
  )
  await page.goto('/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await see(menu.getByText('Stock'), menu.getByRole('link', { name: /Broken feeds.*2/ }))
  const section = menu.getByRole('button', { name: /Yards.*4/ })
  expect(await section.getAttribute('aria-expanded')).toBe('false')
  const lots = menu.getByRole('link', { name: 'Lots' })
  await miss(lots)
  await section.click()
  await see(lots)
  expect(await section.getAttribute('aria-expanded')).toBe('true')
  expect(await menu.getByText('Secret').count()).toBe(0)

  const handbook = menu.getByRole('link', { name: /Handbook/ })
  expect([await handbook.getAttribute('href'), await handbook.getAttribute('target')]).toEqual([
    'https://handbook.example/',
    '_blank',
  ])
  await lots.click()
  await page.waitForURL('**/customers/lots')
  expect(await lots.getAttribute('aria-current')).toBe('page')
})
