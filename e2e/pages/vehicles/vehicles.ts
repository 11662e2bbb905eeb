import type { Page } from 'playwright-core'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { vins } from '#contract/vehicles/vin/vin.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, see } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const opened = { list: PICKUP.list, link: PICKUP.name }

const JOINED = {
  events: [
    {
      at: '2026-11-20T10:00:00Z',
      by: 'Dana Whitfield',
      as: 'Luis Ortega',
      what: 'changed',
      jobId: null,
      run: null,
      isUndo: false,
      changes: [
        { field: 'price', before: '45755.00', after: '44955.00' },
        { field: 'locked', before: null, after: 'Price' },
      ],
    },
    {
      at: '2026-11-19T10:00:00Z',
      by: 'Luis Ortega',
      as: null,
      what: 'changed',
      jobId: '7',
      run: null,
      isUndo: false,
      changes: [{ field: 'status', before: 'preparing', after: 'live' }],
    },
    {
      at: '2026-11-18T10:00:00Z',
      by: null,
      as: null,
      what: 'added',
      jobId: '6',
      run: { id: '1', feed: 'HomeNet, every night', canOpen: true },
      isUndo: false,
      changes: [],
    },
  ],
  isCut: true,
}

/** Enters an ambiguous price, which shows an error in its cell. */
async function writeAnError(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Vehicle grid' })
  await see(grid)
  await grid.focus()
  const isMirrored = await grid.evaluate((node) => getComputedStyle(node).direction === 'rtl')
  const onward = isMirrored ? 'ArrowLeft' : 'ArrowRight'
  for (const key of [onward, onward, onward, 'Enter']) await page.keyboard.press(key)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('1.5.2')
  await page.keyboard.press('Enter')
  await see(page.getByText('1 vehicle changed'), page.getByRole('button', { name: '1 error: next' }))
}

/** A price that is too low to be right: saving asks first. */
async function enterUnusualPrice(page: Page): Promise<void> {
  await drawer(page).getByLabel('Price', { exact: true }).fill('1')
  await drawer(page).getByRole('button', { name: 'Save vehicle', exact: true }).click()
  await see(page.getByRole('dialog', { name: 'Save unusual prices?' }))
}

/** The vehicle page and the vehicle grid. */
export const VEHICLE_PAGES = {
  '/inventory/vehicle-data/edit-grid': {
    person: 'northgate.admin',
    views: {
      'vehicle-grid': {
        url: '/inventory/vehicle-data/edit-grid?sort=stock',
        whole: (page) => see(page.getByRole('grid', { name: 'Vehicle grid' })),
      },
      'vehicle-grid-changed': {
        url: '/inventory/vehicle-data/edit-grid?sort=stock',
        whole: writeAnError,
      },
    },
    loads: [
      {
        url: '/inventory/vehicle-data/edit-grid',
        endpoint: vehicles.list,
        what: 'the vehicles',
        loading: 'Loading the vehicles',
        more: {
          empty: { answer: rows(0, 0), says: ['No vehicles to edit', /^No vehicle matches the filters/] },
        },
      },
    ],
  },
  '/inventory/vehicle-data/$id': {
    person: 'northgate.admin',
    views: {
      vehicle: { url: opened, whole: text('Valid VIN') },
      'vehicle-media': { url: { ...opened, add: '?tab=media' }, whole: text('Upload photos') },
      'vehicle-price': {
        url: { ...opened, add: '?tab=price' },
        whole: text('How the total price is calculated'),
      },
      'vehicle-timeline': {
        url: { ...opened, add: '?tab=timeline' },
        given: [{ endpoint: vehicles.timeline, data: JOINED }],
        whole: text('job 7'),
      },
      'vehicle-price-question': { url: { ...opened, add: '?drawer=edit' }, whole: enterUnusualPrice },
      'vehicle-edit': {
        url: { ...opened, add: '?drawer=edit' },
        whole: (page) => see(drawer(page).getByLabel('CPO program')),
      },
    },
    loads: [
      {
        url: '/inventory/vehicle-data/1',
        endpoint: vehicles.get,
        what: 'this vehicle',
        loading: 'Loading the vehicle',
      },
      {
        url: opened,
        endpoint: vins.decode,
        what: 'the decoded VIN',
        loading: 'Decoding the VIN',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
