import type { Page } from 'playwright-core'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { baseYear } from '#contract/carbon/inventories/base-year.ts'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { carbonOpenItems } from '#contract/carbon/results/open-items.ts'
import { carbonGroup } from '#contract/carbon/results/group.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { activityImports } from '#contract/carbon/activity/activity-imports.ts'
import { evidence } from '#contract/carbon/activity/evidence.ts'
import { inventoryApprovals } from '#contract/carbon/approvals/approvals.ts'
import { inventoryReopenings } from '#contract/carbon/approvals/reopenings.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { dataRequests } from '#contract/carbon/activity/data-requests.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
/** Inventories of Northgate Ford (collecting) and Northgate Toyota (a draft without assignments). */
const RUNNING = '3'
const FRESH = '7'
const LOCKED = '2'
const NONE = { status: 200, data: [] }
const ZERO = { count: 0, url: null }
const NOTHING_OPEN = {
  status: 200,
  data: {
    missing: { ...ZERO, facilities: [] },
    estimated: ZERO,
    unanswered: ZERO,
    submitted: ZERO,
    unusual: ZERO,
    withoutResult: ZERO,
  },
}

const NO_KG = { location: '0', market: '0', imported: '0', importedMarket: '0' }
/** The answer for a user with one organization. */
const GROUP_OF_ONE = {
  year: null,
  boundary: 'operational',
  years: [],
  organizations: 1,
  organizationsSummed: 0,
  total: { ...NO_KG, missing: 0, expected: 0, there: 0, points: 0, categories: 0 },
  scopes: [],
  summed: [],
  left: [],
  notes: [],
}

/** The ledger with one row. */
const ONE_RESULT = `/carbon/ledger?filter=${encodeURIComponent(
  'inventory == "2" && scope == "2" && method == "location" && facility == "Service wing" && month == date("2025-01-01")',
)}`

const lockedStep = (page: Page) => see(page.getByRole('heading', { name: 'This step is locked' }))
const noInventory = (page: Page) => see(page.getByRole('heading', { name: 'No inventory selected' }))
const tick = (name: string) => (page: Page) =>
  see(page.getByRole('checkbox', { name, exact: true }), page.getByRole('columnheader').first())
const inventoryLoad = (url: string) =>
  ({
    url,
    endpoint: carbonInventories.get,
    what: 'this inventory',
    loading: 'Loading the inventory',
  }) as const

/** The line of a bill that a record comes from. */
const ORIGIN = {
  importId: '1',
  fileName: 'riverside-power-2026.csv',
  sheet: 'riverside-power-2026',
  line: 12,
  version: 1,
  importedAt: '2026-11-12T09:30:00.000Z',
  importedBy: 'Priya Raman',
  isUndone: false,
  above: ['Riverside Power & Light', 'Account no.: 7700 123 456'],
  columns: [
    { title: 'Bill start', value: '2026-03-01', field: 'periodStart', isUnused: false },
    { title: 'Bill end', value: '2026-03-31', field: 'periodEnd', isUnused: false },
    { title: 'Usage (kWh)', value: '12,400', field: 'quantity', isUnused: false },
    { title: 'Demand (kW)', value: '31.5', field: null, isUnused: true },
    { title: 'Tariff', value: 'TOU-GS-2 medium general service, time of use', field: null, isUnused: true },
  ],
}

/** An inventory in review, and what its approver is shown. */
const REOPENING = {
  id: '1',
  formerStatus: 'locked',
  status: 'approved',
  reason: 'The July bill of the paint shop was credited in September.',
  requestedBy: 'Priya Raman',
  requestedAt: '2026-11-17T10:00:00.000Z',
  decision: null,
  decisionReason: null,
  decidedBy: null,
  decidedAt: null,
  isMine: false,
  refusal: null,
}
/** Its hash depends on the times of the demo data, which differ between runs. */
const APPROVED = {
  endpoint: inventoryApprovals.list,
  data: {
    files: [
      {
        id: '1',
        name: 'Carbon 2025',
        sha256: '1b7197737aba9eacbc01ad12c68ff2634f271e030cccba442f6d4e48fbb37626',
        size: 742_700,
        lines: 488,
        madeBy: 'Dana Whitfield',
        madeAt: '2026-11-18T17:10:00.000Z',
        location: '855312.4',
        market: '731290.7',
        reason: 'The missing bills were not available. They are small and will be added by a restatement.',
        gaps: [],
      },
    ],
    withoutFile: 0,
  },
}
const IN_REVIEW = {
  id: RUNNING,
  organizationId: '1',
  organizationName: 'Northgate Ford',
  name: 'Carbon 2026',
  periodStart: '2026-01-01',
  periodEnd: '2026-12-31',
  boundary: 'operational',
  gwpSet: 'AR6',
  gwpEdition: 1,
  newerGwps: {
    edition: 2,
    changes: [
      { gas: 'HFC-134a', gwp: '1500', newGwp: '1530' },
      { gas: 'SF6', gwp: '24300', newGwp: '25200' },
    ],
  },
  status: 'in_review',
  statusReason: null,
  isBaseYear: false,
  restatesId: null,
  restatedById: null,
  facilities: 5,
  sources: 24,
  assigned: 24,
  version: 3,
  updatedAt: '2026-11-17T10:00:00.000Z',
  updatedBy: 'Priya Raman',
  datasets: [],
  yearRule: 'latest',
  recalculationThreshold: '5',
  ownerId: null,
  ownerName: null,
  reviewerId: null,
  reviewerName: null,
  approverId: null,
  approverName: null,
  twoPersonApproval: true,
  approvals: 0,
  scope3: [],
  denominators: [],
  undecided: 1,
  gaps: [],
  steps: { start: 'complete', facility: 'complete', emission: 'partly', insights: 'partly' },
}
const APPROVAL_CHECK = {
  location: '639500',
  market: '641200.5',
  pending: 0,
  gaps: [
    { kind: 'coverage', sentence: '94 of 120 expected data points are covered.' },
    { kind: 'flagged', sentence: '3 records are flagged for review.' },
    { kind: 'facilities', sentence: '1 facility is neither included nor excluded.' },
  ],
  refusal: null,
}
const EVIDENCE = [
  {
    id: '1',
    name: 'pge-2025-01.pdf',
    type: 'application/pdf',
    size: 182_114,
    recordId: '1',
    createdAt: '2025-02-03T10:00:00.000Z',
    createdBy: 'Priya Raman',
  },
]

/** The notice of a base year whose site was sold. */
const CHANGED_BASE_YEAR = {
  isPending: false,
  notice: {
    inventoryId: LOCKED,
    inventoryName: 'Carbon 2025',
    asOf: '2026-11-18',
    location: '855300',
    market: '801200',
    newLocation: '712400',
    newMarket: '660100',
    percent: '-16.7',
    marketPercent: '-17.6',
    threshold: '5',
    explanation: [
      'With the boundary of Nov 18, 2026 for the whole base year, the total changes by \u2212142,900 kg CO2e.',
    ],
    facilities: [
      {
        facilityId: '1',
        facilityName: 'Auburn Boulevard',
        before: '142900',
        after: '0',
        reason: 'No operational control of Auburn Boulevard since Jan 1, 2026.',
      },
    ],
    raisedAt: '2026-11-18T15:00:00.000Z',
    dismissedAt: null,
    dismissedBy: null,
    dismissedReason: null,
  },
}

const ASKED = {
  id: '1',
  inventoryId: RUNNING,
  kind: 'request',
  dataOwnerName: 'Priya Raman',
  isMine: false,
  requestedAt: '2026-11-20T10:00:00.000Z',
  requestedBy: 'Dana Whitfield',
  message: 'The bills are with the accountant.',
  cells: [
    {
      sourceId: '1',
      facilityName: 'Auburn Boulevard',
      sourceType: 'electricity',
      sourceName: null,
      sourceLabel: null,
      dueOn: '2026-12-12',
      answeredAt: null,
    },
  ],
}

/** The inventory list, the four steps of an inventory, the comparison and the group total. */
const withGroup = (organizations: number, title: string) => ({
  answer: { status: 200, data: { ...GROUP_OF_ONE, organizations } },
  says: [title, 'Go to inventories'],
})

export const INVENTORY_PAGES = {
  '/carbon': {
    person: ADMIN,
    views: {
      inventories: {
        url: '/carbon',
        whole: (page) => see(page.getByRole('main').getByText('Base year').first()),
      },
    },
    loads: [
      {
        url: '/carbon',
        endpoint: carbonInventories.list,
        what: 'the list of inventories',
        loading: 'Loading inventories',
        more: {
          empty: { answer: rows(0, 0), says: ['No inventories yet', 'Add inventory'] },
          'empty when filtered': {
            url: '/carbon?search=zebra',
            answer: rows(0, 2),
            says: ['No inventories match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
    ],
  },
  '/carbon/start': {
    person: ADMIN,
    views: {
      'carbon-start': {
        url: `/carbon/start?inventory=${RUNNING}`,
        whole: (page) => see(field(page, 'Name'), button(page, 'Submit for review')),
      },
      'carbon-new': {
        url: '/carbon/start?inventory=new',
        whole: (page) => see(button(page, 'Add inventory')),
      },
      'carbon-locked': {
        url: `/carbon/start?inventory=${LOCKED}`,
        given: [APPROVED],
        whole: (page) => see(page.getByText(/This inventory is locked/), button(page, 'Request to unlock')),
      },
      'carbon-request-to-unlock': {
        url: `/carbon/start?inventory=${LOCKED}`,
        given: [APPROVED],
        whole: async (page) => {
          await button(page, 'Request to unlock').click()
          await see(page.getByRole('dialog').getByLabel('Reason'))
        },
      },
      'carbon-confirm-unlock': {
        url: `/carbon/start?inventory=${LOCKED}`,
        given: [APPROVED, { endpoint: inventoryReopenings.list, data: [REOPENING] }],
        whole: (page) => see(page.getByText(/Priya Raman asks to unlock/), button(page, 'Decline')),
      },
      'carbon-verify-approval': {
        url: `/carbon/start?inventory=${LOCKED}`,
        given: [APPROVED],
        whole: async (page) => {
          await page
            .getByRole('button', { name: /^Verify: Approval of/ })
            .first()
            .click()
          const dialog = page.getByRole('dialog')
          await dialog.getByLabel('Or its SHA-256').fill('0'.repeat(64))
          await dialog.getByRole('button', { name: 'Verify' }).click()
          await see(dialog.getByText(/This file isn.t the approval of/))
        },
      },
      'carbon-approve': {
        url: `/carbon/start?inventory=${RUNNING}`,
        given: [
          { endpoint: carbonInventories.get, data: IN_REVIEW },
          { endpoint: inventoryApproval.check, data: APPROVAL_CHECK },
        ],
        whole: async (page) => {
          await button(page, 'Approve').click()
          await see(page.getByRole('dialog').getByLabel('Why approve it anyway?'))
        },
      },
      'carbon-gwp-values': {
        url: `/carbon/start?inventory=${RUNNING}`,
        given: [{ endpoint: carbonInventories.get, data: { ...IN_REVIEW, status: 'collecting' } }],
        whole: async (page) => {
          const corrected = page.getByRole('checkbox', { name: /^Use the corrected GWP values/ })
          await see(corrected)
          await corrected.scrollIntoViewIfNeeded()
        },
      },
      'carbon-history': {
        url: `/carbon/start?inventory=${LOCKED}`,
        given: [APPROVED],
        whole: async (page) => {
          await button(page, 'History').click()
          await see(page.getByRole('dialog').getByText('Reported to the group'))
        },
      },
    },
    loads: [inventoryLoad(`/carbon/start?inventory=${RUNNING}`)],
  },
  '/carbon/facility': {
    person: ADMIN,
    views: {
      'carbon-facility': {
        url: `/carbon/facility?inventory=${RUNNING}`,
        whole: (page) => see(page.getByRole('rowheader', { name: /Auburn Boulevard/ })),
      },
      'carbon-facility-locked': { url: '/carbon/facility?inventory=new', whole: lockedStep },
      'carbon-facility-none': { url: '/carbon/facility', whole: noInventory },
    },
    loads: [
      inventoryLoad(`/carbon/facility?inventory=${RUNNING}`),
      {
        url: `/carbon/facility?inventory=${RUNNING}`,
        endpoint: carbonAssignments.facilities,
        what: 'the facilities',
        loading: 'Loading the facilities',
        more: { empty: { answer: NONE, says: ['No facilities yet', 'Go to organization'] } },
      },
    ],
  },
  '/carbon/emission': {
    person: ADMIN,
    views: {
      'carbon-assignments': {
        url: `/carbon/emission?inventory=${RUNNING}`,
        whole: tick('Electricity at Auburn Boulevard'),
      },
      'carbon-new-source': {
        url: `/carbon/emission?inventory=${RUNNING}`,
        whole: async (page) => {
          await button(page, 'Add source').click()
          await see(page.getByRole('dialog', { name: 'New source' }).getByLabel('Name'))
        },
      },
      'carbon-suggested': {
        url: `/carbon/emission?inventory=${FRESH}`,
        whole: (page) => see(page.getByText(/^\d+ suggested$/)),
      },
      'carbon-activity': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity`,
        whole: (page) => see(page.getByRole('grid')),
      },
      'carbon-activity-origin': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity`,
        given: [{ endpoint: activityImports.origin, data: [ORIGIN] }],
        whole: async (page) => {
          await page.getByRole('gridcell').first().click()
          await page.getByText('From line 12 of').scrollIntoViewIfNeeded()
        },
      },
      'carbon-asked': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity&request=1`,
        given: [{ endpoint: dataRequests.get, data: ASKED }],
        whole: (page) =>
          see(page.getByRole('heading', { name: 'Requested from Priya Raman: 1 source, due Dec 12, 2026' })),
      },
      'carbon-missing-points': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity&show=missing`,
        whole: (page) =>
          see(page.getByRole('heading', { name: /^\d+ data points missing$/ }), page.getByRole('grid')),
      },
      'carbon-unanswered': {
        url: `/carbon/emission?inventory=${RUNNING}&show=unanswered`,
        whole: (page) =>
          see(page.getByRole('heading', { name: /^\d+ requested sources without an answer$/ })),
      },
      'carbon-import': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity&drawer=import`,
        whole: (page) => see(page.getByText(/^fuel-cards-/)),
      },
      'carbon-review': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=review`,
        whole: (page) => see(button(page, 'Approve').first()),
      },
      'carbon-review-unusual': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=review&show=unusual`,
        whole: (page) =>
          see(
            page.getByRole('button', { name: 'Flagged only', exact: true, pressed: true }),
            page.getByRole('listitem').first(),
          ),
      },
      'carbon-imported': {
        url: `/carbon/emission?inventory=${RUNNING}&tab=imported`,
        whole: (page) => see(page.getByRole('heading', { name: 'Import totals' })),
      },
      'carbon-emission-none': { url: '/carbon/emission', whole: noInventory },
    },
    loads: [
      inventoryLoad(`/carbon/emission?inventory=${RUNNING}`),
      {
        url: `/carbon/emission?inventory=${RUNNING}`,
        endpoint: carbonAssignments.sources,
        what: 'the assignments',
        loading: 'Loading the assignments',
        more: { empty: { answer: NONE, says: [/suggested/] } },
      },
      {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity&show=missing`,
        endpoint: carbonOpenItems.list,
        what: 'the open items',
        loading: 'Loading the open items',
        more: { empty: { answer: rows(0, 0), says: ['Nothing is open here.'] } },
      },
      {
        url: `/carbon/emission?inventory=${RUNNING}&tab=activity&request=1`,
        endpoint: dataRequests.get,
        what: 'this request',
        loading: 'Loading the data request',
      },
      {
        url: `/carbon/emission?inventory=${RUNNING}&tab=imported`,
        endpoint: importedTotals.list,
        what: 'the imported totals',
        loading: 'Loading the imported totals',
        more: { empty: { answer: NONE, says: ['No imported totals yet.'] } },
      },
    ],
  },
  '/carbon/insights': {
    person: ADMIN,
    views: {
      'carbon-insights': {
        url: `/carbon/insights?inventory=${RUNNING}`,
        whole: (page) =>
          see(
            page.getByText('Total, location-based', { exact: true }),
            page
              .getByRole('region', { name: 'Why it changed' })
              .getByText(/ has \d+ of \d+ expected data points/),
          ),
      },
      'carbon-insights-locked': {
        url: `/carbon/insights?inventory=${FRESH}`,
        whole: async (page) => {
          await lockedStep(page)
          await see(page.getByRole('link', { name: 'Go to sources', exact: true }))
        },
      },
    },
    loads: [
      inventoryLoad(`/carbon/insights?inventory=${RUNNING}`),
      {
        url: `/carbon/insights?inventory=${RUNNING}`,
        endpoint: carbonOpenItems.counts,
        what: 'the open items',
        loading: 'Loading the open items',
        more: { empty: { answer: NOTHING_OPEN, says: ['No open items'] } },
      },
    ],
  },
  '/carbon/ledger': {
    person: ADMIN,
    views: {
      'carbon-ledger': {
        url: '/carbon/ledger',
        whole: (page) => see(page.getByRole('link', { name: 'Electricity', exact: true }).first()),
      },
      'carbon-ledger-total': {
        url: `/carbon/ledger?filter=${encodeURIComponent('inventory == "2" && scope == "2" && method in ["both", "location"]')}`,
        whole: (page) => see(page.getByRole('link', { name: 'Electricity', exact: true }).first()),
      },
      'carbon-ledger-result': {
        url: { list: ONE_RESULT, link: 'Electricity' },
        given: [{ endpoint: evidence.list, data: EVIDENCE }],
        whole: (page) =>
          see(
            page.getByRole('heading', { name: 'Formula', exact: true }),
            drawer(page).getByText('pge-2025-01.pdf'),
          ),
      },
    },
    loads: [
      {
        url: '/carbon/ledger',
        endpoint: ledger.list,
        what: 'the list of results',
        loading: 'Loading results',
        more: { empty: { answer: rows(0, 0), says: ['No results yet', 'Go to inventories'] } },
      },
    ],
  },
  '/carbon/compare': {
    person: ADMIN,
    views: {
      'carbon-compare': {
        url: `/carbon/compare?before=${LOCKED}&after=${RUNNING}`,
        whole: (page) => see(page.getByRole('heading', { name: 'Bridge' })),
      },
      'carbon-base-year': {
        url: `/carbon/compare?before=${LOCKED}&after=${RUNNING}`,
        given: [{ endpoint: baseYear.get, data: CHANGED_BASE_YEAR, when: `inventory=${LOCKED}` }],
        whole: (page) =>
          see(
            page.getByRole('heading', { name: 'Bridge' }),
            page.getByRole('region', { name: 'Base year recalculation' }).first(),
          ),
      },
      'carbon-compare-none': {
        url: '/carbon/compare',
        whole: (page) => see(page.getByRole('heading', { name: 'Choose two inventories' })),
      },
    },
    loads: [
      {
        url: `/carbon/compare?before=${LOCKED}&after=${RUNNING}`,
        endpoint: carbonComparison.compare,
        what: 'the comparison',
        loading: 'Loading the comparison',
      },
    ],
  },
  '/carbon/group': {
    person: ADMIN,
    views: {
      'carbon-group': {
        url: '/carbon/group',
        whole: (page) => see(page.getByRole('heading', { name: 'Included inventories' })),
      },
      'carbon-group-none': {
        url: '/carbon/group?year=1990',
        whole: (page) => see(page.getByText('No total', { exact: true })),
      },
    },
    loads: [
      {
        url: '/carbon/group',
        endpoint: carbonGroup.get,
        what: 'the group',
        loading: 'Loading the group total',
        more: {
          'one organization': withGroup(1, 'No group total'),
          'no inventory': withGroup(2, 'No inventories yet'),
        },
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
