import type { Page } from 'playwright-core'
import { feedRuns, NO_LOT } from '#contract/feeds/runs/feed-runs.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

/** A run that needs review, as returned by the API. */
const RUN = {
  id: '7',
  fileName: 'northgate-2026-11-21.csv',
  status: 'review',
  sourceId: '3',
  sourceName: 'HomeNet, all lots',
  mappingName: 'HomeNet nightly',
  rows: 612,
  new: 12,
  changed: 41,
  prices: 8,
  missing: 203,
  unchanged: 354,
  refused: 2,
  leftOut: 4,
  locked: 5,
  priceQuestions: { total: 0, open: 0 },
  mileageQuestions: { total: 0, taken: 0 },
  lostPrices: 0,
  heldPrices: null,
  takenAway: { gone: 0, removed: 0, prices: 0, photos: 0, mileages: 0, lowerMileages: 0 },
  unknownStatuses: 0,
  keptStatuses: 0,
  unusedColumns: ['Wheel bolts'],
  questions: [],
  answers: {},
  backOnSale: 0,
  moved: 0,
  notes: ['Dates in “Date In Stock” are day/month/year. 28/09/2026 shows it.'],
  createdAt: '2026-11-21T06:10:00Z',
  createdBy: 'Dana Whitfield',
  appliedAt: null,
  bytes: 1_482_113,
  secondName: null,
  mappingId: '1',
  mappingVersion: 3,
  lotId: null,
  lotName: null,
  error: null,
  reviewReasons: ['203 of the 620 vehicles from this feed source (33%) are missing.'],
  columns: { known: 49, total: 50 },
  refusals: [],
  unknownDealers: [{ dealer: 'NG-0042', rows: 2 }],
  unmapped: [{ field: 'body', value: 'Crew Cab Pickup - Short Bed', rows: 14 }],
  warnings: [{ sentence: "Price: \u201cPlease Call\u201d isn't a price. Left blank.", rows: 9 }],
  skipped: 0,
  notUndone: 0,
  jobId: null,
  readAt: '2026-11-21T06:10:04Z',
  appliedBy: null,
  undoneAt: null,
  undoneBy: null,
  canApply: true,
  canCancel: true,
  canUndo: false,
  canReadAgain: true,
  isReadOnly: false,
  version: 4,
}

/** The sentences of a run that sets most prices to $1. */
const HELD_PRICES = [
  '190 of 223 vehicles (85%) change their price by more than 30%: 2023 Ford F-150 (FN10063) from $45,755 to $1, 2022 Ford Edge (FN10071) from $31,995 to $1, 2021 Ford Escape (FN10080) from $24,110 to $1. Total of these prices: $6,412,300 before, $190 after.',
  '190 prices are below $100 or above $1,000,000: 2023 Ford F-150 (FN10063) from $45,755 to $1.',
]

/** A run without dealer IDs, and one that waits for its second file. */
const LOTLESS = {
  ...RUN,
  status: 'ready',
  sourceId: null,
  sourceName: null,
  mappingId: null,
  mappingName: 'eDealer',
  new: 0,
  changed: 0,
  prices: 0,
  missing: 0,
  unchanged: 0,
  locked: 0,
  refused: 612,
  reviewReasons: [],
  unknownDealers: [],
  refusals: [
    { sentence: NO_LOT, rows: 604 },
    { sentence: 'The feed marks this vehicle as deleted.', rows: 8 },
  ],
  canApply: false,
}
const WAITING = { ...LOTLESS, status: 'waiting', refused: 0, refusals: [], rows: 0, canReadAgain: false }

const ROW = {
  id: '1',
  kind: 'changed',
  state: 'staged',
  line: 14,
  title: '2023 Ford F-150',
  priceQuestion: null,
  mileageQuestion: null,
  vin: '1FTFW1E50PFA00001',
  stock: 'A1',
  dealer: 'NG-1',
  lotId: '1',
  lotName: 'Main street',
  vehicleId: '12',
  raw: null,
  reasons: [],
  warnings: ['Mileage is lower than before.'],
  changes: [
    { field: 'mileage', before: 18_240, after: 18_190, isFromVin: false },
    { field: 'priceCents', before: 4_500_000, after: 4_418_000, isFromVin: false },
    { field: 'engine', before: null, after: '3.5L V6', isFromVin: true },
    { field: 'color', before: 'Blue', after: 'Antimatter Blue', isFromVin: false },
    { field: 'doors', before: null, after: 4, isFromVin: false },
    { field: 'trim', before: 'XLT', after: 'Lariat', isFromVin: false },
  ],
  locked: ['description'],
  toStatus: null,
  toLotName: null,
  note: null,
}

const REFUSED = {
  ...ROW,
  id: '2',
  kind: 'refused',
  line: 88,
  title: '',
  vin: null,
  stock: null,
  vehicleId: null,
  lotId: null,
  lotName: null,
  raw: ',,2022,FORD,F-150,Please Call,used',
  reasons: ['No VIN or stock number.'],
  warnings: [],
  changes: [],
  locked: [],
}

const list = (...results: unknown[]) => ({
  filteredRows: results.length,
  totalRows: results.length,
  results,
})

/** A fetched source, as returned by the API. */
const SOURCE = {
  id: '3',
  name: 'HomeNet, all lots',
  kind: 'sftp',
  mappingId: '1',
  mappingName: 'HomeNet nightly',
  isActive: true,
  lotIds: [],
  applies: 'automatic',
  host: 'feeds.example',
  port: null,
  remotePath: '/outbound/vehicles.csv',
  userName: 'northgate',
  hasSecret: true,
  hostKey: 'SHA256:7o2mF3Yv3sJ3XgkQH8l0lC2rQw0m1m6YbW1xT5m0c3E',
  everyHours: null,
  dailyAt: '05:30',
  afterFetch: 'move',
  moveTo: 'done',
  hasToken: false,
  senders: [],
  lastRowCount: 612,
  lastRunAt: '2026-11-21T06:10:00Z',
  nextRunAt: '2026-11-22T13:30:00Z',
  lastProblem: 'SFTP feeds.example:22, file: No such file.',
  isReadOnly: false,
  version: 2,
  updatedAt: '2026-11-20T10:00:00Z',
  updatedBy: 'Dana Whitfield',
}
const DELIVERY = {
  id: '9',
  state: 'received',
  requestedBy: null,
  startedAt: '2026-11-21T13:30:02Z',
  endedAt: '2026-11-21T13:30:04Z',
  fileName: 'vehicles.csv',
  runId: '7',
  message: null,
}
const DELIVERIES = {
  deliveries: [
    {
      ...DELIVERY,
      id: '10',
      state: 'failed',
      runId: null,
      requestedBy: 'Dana Whitfield',
      message: SOURCE.lastProblem,
    },
    DELIVERY,
    { ...DELIVERY, id: '8', state: 'unchanged', message: 'The file is the same as the last one.' },
  ],
}
const AT_SOURCE = '/inventory/feeds/sources?source=3'
const ofSource = [
  { endpoint: feedSources.get, data: SOURCE },
  { endpoint: feedSources.deliveries, data: DELIVERIES },
] as const

/** Feeds, a single feed, and feed sources. */
export const FEED_RUN_PAGES = {
  '/inventory/feeds': {
    person: ADMIN,
    views: {
      feeds: {
        url: '/inventory/feeds',
        given: [{ endpoint: feedRuns.list, data: list(RUN, { ...RUN, id: '6', status: 'applied' }) }],
        whole: text('northgate-2026-11-21.csv'),
      },
    },
    loads: [
      {
        url: '/inventory/feeds',
        endpoint: feedRuns.list,
        what: 'the list of feed runs',
        loading: 'Loading feed runs',
        more: {
          empty: { answer: rows(0, 0), says: ['No feeds yet', 'Upload feed'] },
          'empty when filtered': {
            url: '/inventory/feeds?search=zebra',
            answer: rows(0, 5),
            says: ['No feed runs match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
    ],
  },
  '/inventory/feeds/$id': {
    person: ADMIN,
    views: {
      feed: {
        url: '/inventory/feeds/7?rows=changed',
        given: [
          { endpoint: feedRuns.get, data: RUN },
          { endpoint: feedRuns.rows, data: list(ROW) },
        ],
        whole: text('2023 Ford F-150'),
      },
      // Prices that changed too much are held, with the largest changes named.
      'feed-held-prices': {
        url: '/inventory/feeds/7?rows=changed',
        given: [
          { endpoint: feedRuns.get, data: { ...RUN, reviewReasons: HELD_PRICES } },
          { endpoint: feedRuns.rows, data: list(ROW) },
        ],
        whole: text(/^190 of 223 vehicles/),
      },
      'feed-refused': {
        url: '/inventory/feeds/7?rows=refused',
        given: [
          { endpoint: feedRuns.get, data: { ...RUN, status: 'ready', reviewReasons: [] } },
          { endpoint: feedRuns.rows, data: list(REFUSED) },
        ],
        whole: text('No VIN or stock number.'),
      },
      'feed-without-lot': {
        url: '/inventory/feeds/7?rows=refused',
        given: [
          { endpoint: feedRuns.get, data: LOTLESS },
          { endpoint: feedRuns.rows, data: list({ ...REFUSED, reasons: [NO_LOT] }) },
        ],
        whole: text('604 rows have no dealer ID. Choose a lot'),
      },
      'feed-waiting': {
        url: '/inventory/feeds/7',
        given: [{ endpoint: feedRuns.get, data: WAITING }],
        whole: text(/joins two files/),
      },
    },
    loads: [
      {
        url: '/inventory/feeds/7',
        endpoint: feedRuns.get,
        what: 'this feed',
        loading: 'Loading feed',
      },
    ],
  },
  '/inventory/feeds/sources': {
    person: ADMIN,
    views: {
      'feed-sources': {
        url: '/inventory/feeds/sources',
        given: [
          {
            endpoint: feedSources.list,
            data: list(SOURCE, {
              ...SOURCE,
              id: '4',
              name: 'Own program',
              kind: 'api',
              dailyAt: null,
              lastProblem: null,
            }),
          },
        ],
        whole: text('HomeNet, all lots'),
      },
      'feed-source': { url: AT_SOURCE, given: ofSource, whole: (page) => see(field(page, 'Server')) },
      'feed-source-deliveries': {
        url: `${AT_SOURCE}&part=deliveries`,
        given: ofSource,
        whole: (page) => see(drawer(page).getByText('The file is the same as the last one.')),
      },
      'feed-source-new': {
        url: '/inventory/feeds/sources?source=new',
        whole: (page) => see(field(page, 'Name')),
      },
    },
    loads: [
      {
        url: '/inventory/feeds/sources',
        endpoint: feedSources.list,
        what: 'the list of feed sources',
        loading: 'Loading feed sources',
        more: {
          empty: { answer: rows(0, 0), says: ['No feed sources yet', 'Add feed source'] },
          'empty when filtered': {
            url: '/inventory/feeds/sources?search=zebra',
            answer: rows(0, 5),
            says: ['No feed sources match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
