import type { Page } from 'playwright-core'
import { vehicles } from '#contract/inventory/vehicles.ts'
import { vins } from '#contract/inventory/vin.ts'
import type { PageCase, PagePath } from './page-case.ts'
import { drawer, see } from './steps.ts'
import { PICKUP } from './work-pages.ts'

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
      changes: [{ field: 'status', before: 'preparing', after: 'live' }],
    },
    { at: '2026-11-18T10:00:00Z', by: null, as: null, what: 'added', jobId: null, changes: [] },
  ],
  isCut: true,
}

/** The page of one vehicle. */
export const VEHICLE_PAGES = {
  '/inventory/vehicle-data/$id': {
    person: 'northgate.admin',
    views: {
      vehicle: { url: opened, whole: text('Check digit right') },
      'vehicle-media': { url: { ...opened, add: '?tab=media' }, whole: text('Upload photos') },
      'vehicle-timeline': {
        url: { ...opened, add: '?tab=timeline' },
        given: [{ endpoint: vehicles.timeline, data: JOINED }],
        whole: text('job 7'),
      },
      'vehicle-edit': {
        url: { ...opened, add: '?drawer=edit' },
        whole: (page) => see(drawer(page).getByLabel('Certified programme')),
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
        what: 'the reading of this VIN',
        loading: 'Reading the VIN',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
