import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { ruleRequests } from '#contract/pricing/rules/rule-requests.ts'
import { type AdvertisedPrice, advertisedPrices } from '#contract/pricing/advertised/advertised-prices.ts'
import type { Page } from 'playwright-core'
import { channels } from '#contract/channels/channels/channels.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const CHANNEL = { list: '/inventory/channels', link: 'Google listings' } as const

const RUN = {
  id: '2',
  state: 'sent',
  requestedBy: 'Dana Whitfield',
  startedAt: '2026-11-21T09:00:00Z',
  endedAt: '2026-11-21T09:00:02Z',
  listed: 412,
  excluded: 9,
  bytes: 391_204,
  reasons: { noPrice: 6, placeholderOnly: 4 },
  message: null,
}
const RUNS = {
  runs: [
    RUN,
    {
      ...RUN,
      id: '1',
      state: 'failed',
      requestedBy: null,
      message: 'SFTP feeds.example:22, sign-in: All configured authentication methods failed.',
    },
  ],
  excluded: [
    { vehicleId: '1', title: '2021 Ford F-150 XLT, F1204', reasons: ['noPrice', 'placeholderOnly'] },
  ],
}

const ADVERTISED: AdvertisedPrice = {
  id: '7',
  vehicleId: '1',
  title: '2021 Ford F-150 XLT',
  vin: '1FTEW3L89TD319009',
  stock: 'F1204',
  channelId: '1',
  channelName: 'Google listings',
  baseCents: 4_655_500,
  lines: [
    {
      ruleId: '9',
      name: 'Clearance',
      label: null,
      kind: 'discount',
      amountCents: -80_000,
      runningCents: 4_575_500,
    },
  ],
  priceMeaning: 'total',
  priceCents: 4_587_300,
  sellingCents: 4_575_500,
  totalCents: 4_587_300,
  currency: 'USD',
  law: 'us-ca',
  sentence: 'Total price with all dealer charges and installed items. Taxes and government fees are extra.',
  fees: [
    { name: 'Document processing charge', class: 'document', cents: 8_500 },
    { name: 'Electronic filing charge', class: 'electronic-filing', cents: 3_300 },
  ],
  shown: {
    page: 'northgate.example/v/2021-ford-f-150-xlt-1',
    file: 'vehicles.csv',
    offers: [
      {
        name: 'Military offer',
        cents: 50_000,
        about: 'Active duty and veterans, until Nov 30, 2026',
        disclaimer: 'With proof of service.',
      },
    ],
    msrpCents: null,
    disclaimers: ['Mileage as shown. Subject to prior sale.'],
    record: '{}',
    sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  },
  fromAt: '2026-11-14T14:10:00Z',
  untilAt: null,
}
const EARLIER = {
  ...ADVERTISED,
  id: '6',
  priceCents: 4_637_300,
  fromAt: '2026-11-01T14:10:00Z',
  untilAt: ADVERTISED.fromAt,
}
const ADVERTISED_PAGE = {
  endpoint: advertisedPrices.list,
  data: { filteredRows: 2, totalRows: 2, results: [ADVERTISED, EARLIER] },
}

/** A change by another user that waits for approval, and one that was rejected. */
const REQUESTS = [
  {
    id: '2',
    kind: 'update',
    ruleId: '1',
    title: 'November clearance',
    changed: 212,
    note: 'Head office wants us below the market until the end of the month.',
    state: 'open',
    requestedAt: '2026-11-14T09:12:00Z',
    requestedBy: 'Ana Torres',
    decidedAt: null,
    decidedBy: null,
    reason: null,
    differences: [{ field: 'Percentage', before: '2%', after: '4%' }],
    isOwn: false,
    fields: [],
    outdated: null,
    version: 1,
  },
  {
    id: '1',
    kind: 'importLowest',
    ruleId: null,
    title: 'Import of MAP Ford: 14 rules',
    changed: 61,
    note: null,
    state: 'rejected',
    requestedAt: '2026-11-12T09:12:00Z',
    requestedBy: 'Ana Torres',
    decidedAt: '2026-11-12T11:40:00Z',
    decidedBy: 'Dale Whitcomb',
    reason: 'This is the table of last month.',
    differences: [],
    isOwn: false,
    version: 2,
  },
]
const REQUEST_EFFECT = {
  currency: 'USD',
  stock: 640,
  isPartial: false,
  matched: 212,
  lowered: 212,
  raised: 0,
  limited: 9,
  held: [{ vehicleId: '1', title: '2024 Ford F-150 XLT, F1204', sellingCents: 5_096_000 }],
  hasMoreHeld: false,
  covered: 0,
  skipped: [{ reason: 'manual', vehicles: 4 }],
  totalCents: -18_020_000,
  largest: [
    {
      vehicleId: '1',
      title: '2024 Ford F-150 XLT, F1204',
      beforeCents: 5_200_000,
      afterCents: 5_096_000,
      isLimited: false,
    },
  ],
}

async function openApprovals(page: Page): Promise<void> {
  await button(page, 'Review').click()
  await see(drawer(page).getByRole('link', { name: '2024 Ford F-150 XLT, F1204' }))
}

/** A table of lowest prices with what importing it would do. */
async function chooseTable(page: Page): Promise<void> {
  await button(page, 'More for pricing rules').click()
  await page.getByRole('menuitem', { name: 'Import…' }).click()
  await drawer(page)
    .locator('input[type=file]')
    .setInputFiles({
      name: 'MAP Ford 2026.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'Year,Make,Model,Trim,MAP\n2026,Ford,Explorer,ST,"$55,000"\n2026,Ford,Maverick,,28500\n',
      ),
    })
  await see(drawer(page).getByText('2 added'))
}

/** The channel pages. */
export const CHANNEL_PAGES = {
  '/inventory/channels': {
    person: ADMIN,
    views: {
      channels: { url: '/inventory/channels', whole: text('Google listings') },
      channel: { url: CHANNEL, whole: (page) => see(field(page, 'Name')) },
      'channel-new': {
        url: '/inventory/channels?channel=new',
        whole: (page) => see(field(page, 'Name')),
      },
      'channel-runs': {
        url: { ...CHANNEL, add: '&part=runs' },
        given: [{ endpoint: channels.runs, data: RUNS }],
        whole: (page) => see(drawer(page).getByText('2021 Ford F-150 XLT, F1204')),
      },
    },
    loads: [
      {
        url: '/inventory/channels',
        endpoint: channels.list,
        what: 'the list of channels',
        loading: 'Loading channels',
        more: {
          empty: { answer: rows(0, 0), says: ['No channels yet', 'Add channel'] },
          'empty when filtered': {
            url: '/inventory/channels?search=zebra',
            answer: rows(0, 5),
            says: ['No channels match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      { url: CHANNEL, endpoint: channels.get, what: 'this channel', loading: 'Loading the channel' },
    ],
  },
  '/inventory/pricing-rules': {
    person: ADMIN,
    views: {
      'pricing-rules': { url: '/inventory/pricing-rules', whole: text('Aging stock') },
      'pricing-rule': {
        url: { list: '/inventory/pricing-rules', link: 'Aging stock' },
        whole: (page) => see(page.getByText(/^Matches \d/)),
      },
      'pricing-rule-new': {
        url: '/inventory/pricing-rules?rule=new',
        whole: (page) => see(field(page, 'Name')),
      },
      'pricing-rule-import': { url: '/inventory/pricing-rules', whole: chooseTable },
      'pricing-rule-approvals': {
        url: '/inventory/pricing-rules',
        given: [
          { endpoint: ruleRequests.list, data: REQUESTS },
          { endpoint: ruleRequests.effect, data: REQUEST_EFFECT },
        ],
        whole: openApprovals,
      },
    },
    loads: [
      {
        url: '/inventory/pricing-rules',
        endpoint: pricingRules.list,
        what: 'the list of rules',
        loading: 'Loading rules',
        more: { empty: { answer: rows(0, 0), says: ['No pricing rules yet', 'Add rule'] } },
      },
      {
        url: { list: '/inventory/pricing-rules', link: 'Aging stock' },
        endpoint: pricingRules.get,
        what: 'this rule',
        loading: 'Loading the rule',
      },
    ],
  },
  '/inventory/advertised-prices': {
    person: ADMIN,
    views: {
      'advertised-prices': {
        url: '/inventory/advertised-prices',
        given: [ADVERTISED_PAGE],
        whole: text('Google listings'),
      },
      'advertised-price': {
        url: '/inventory/advertised-prices?price=7',
        given: [ADVERTISED_PAGE, { endpoint: advertisedPrices.get, data: ADVERTISED }],
        whole: (page) => see(drawer(page).getByText('Document processing charge')),
      },
    },
    loads: [
      {
        url: '/inventory/advertised-prices',
        endpoint: advertisedPrices.list,
        what: 'the list of prices',
        loading: 'Loading prices',
        more: { empty: { answer: rows(0, 0), says: ['No prices advertised yet', 'Go to channels'] } },
      },
      {
        url: '/inventory/advertised-prices?price=7',
        endpoint: advertisedPrices.get,
        what: 'this price',
        loading: 'Loading the price',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
