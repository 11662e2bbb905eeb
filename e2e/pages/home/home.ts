import { dashboard } from '#contract/home/dashboard.ts'
import type { PageCase, PagePath } from '#e2e/harness/page-case.ts'
import { see } from '#e2e/harness/steps.ts'

const EMPTY_HOME = {
  status: 200,
  data: {
    organization: { id: '1', name: 'Northgate Ford', logo: null, timeZone: 'UTC', version: 1 },
    lots: { total: 0, public: 0, withoutAddress: 0, byType: [], byOrganization: [] },
    assessments: null,
    changes: [],
    firstSteps: [],
  },
}

const NO_DECISIONS = { status: 200, data: [] }
const NO_INVENTORY = { status: 200, data: null }

const NO_STOCK = {
  status: 200,
  data: {
    inStock: 0,
    live: 0,
    notForSale: { incoming: 0, preparing: 0, hold: 0 },
    pending: 0,
    liveWithoutPrice: 0,
    published: 0,
    medianDays: null,
    lots: [],
  },
}

/** The dashboard. */
export const HOME_PAGES = {
  '/dashboard': {
    person: 'northgate.admin',
    views: {
      dashboard: {
        url: '/dashboard',
        whole: (page) => see(page.getByText('Inventory aging'), page.getByText('Latest changes')),
      },
    },
    loads: [
      {
        url: '/dashboard',
        endpoint: dashboard.get,
        what: 'the dashboard',
        loading: 'Loading the dashboard',
        more: { empty: { answer: EMPTY_HOME, says: [/^No changes yet/] } },
      },
      {
        url: '/dashboard',
        endpoint: dashboard.decisions,
        what: 'the items that need attention',
        loading: 'Loading items that need attention',
        more: { empty: { answer: NO_DECISIONS, says: [/Nothing needs your attention/] } },
      },
      {
        url: '/dashboard',
        endpoint: dashboard.carbon,
        what: 'the emissions',
        loading: 'Loading emissions',
        more: { empty: { answer: NO_INVENTORY, says: ['Latest changes'] } },
      },
      {
        url: '/dashboard',
        endpoint: dashboard.stock,
        what: 'the inventory figures',
        loading: 'Loading inventory figures',
        more: { empty: { answer: NO_STOCK, says: ['No vehicles yet', 'No vehicles for sale'] } },
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
