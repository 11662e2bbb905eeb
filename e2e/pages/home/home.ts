import { dashboard } from '#contract/home/dashboard.ts'
import type { PageCase, PagePath } from '#e2e/harness/page-case.ts'
import { see } from '#e2e/harness/steps.ts'

const NONE = { count: 0, url: '/inventory/vehicle-data' }

const EMPTY_HOME = {
  status: 200,
  data: {
    organization: { id: '1', name: 'Northgate Ford', logo: null, timeZone: 'UTC', version: 1 },
    lots: { total: NONE, public: NONE, withoutAddress: NONE, byType: [], byOrganization: [] },
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
    inStock: NONE,
    live: NONE,
    published: NONE,
    hidden: NONE,
    notForSale: { ...NONE, incoming: 0, preparing: 0, hold: 0 },
    pending: 0,
    medianDays: null,
    dated: NONE,
    over90: NONE,
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
