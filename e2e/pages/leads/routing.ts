import type { Page } from 'playwright-core'
import { type LeadDelivery, leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { type LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const SAVED = { version: 3, updatedAt: '2026-11-12T09:00:00Z', updatedBy: 'Dana Whitfield' }
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const inDrawer = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

const ANA: LeadDestination = {
  id: '11',
  name: 'Ana Souza',
  kind: 'user',
  isActive: true,
  toEmail: null,
  url: null,
  userId: '1',
  userName: 'Ana Souza',
  memberIds: [],
  memberShares: [],
  members: [],
  dailyCap: 10,
  failingSince: null,
  stoppedAt: null,
  stopReason: null,
  delivered: 0,
  waiting: 0,
  failed: 0,
  lastDeliveredAt: null,
  rules: 2,
  ...SAVED,
}
const ELEADS: LeadDestination = {
  ...ANA,
  id: '12',
  name: 'Eleads',
  kind: 'adf',
  toEmail: 'leads@eleads.example',
  userId: null,
  userName: null,
  dailyCap: null,
  delivered: 128,
  lastDeliveredAt: '2026-11-18T14:31:05Z',
  failed: 0,
}
const OUTLET: LeadDestination = {
  ...ELEADS,
  id: '13',
  name: 'Outlet desk',
  kind: 'email',
  toEmail: 'outlet@northgate.example',
  isActive: false,
  delivered: 6,
  rules: 1,
}
const CRM: LeadDestination = {
  ...ELEADS,
  id: '14',
  name: 'CRM webhook',
  kind: 'webhook',
  toEmail: null,
  url: 'https://crm.northgate.example/leads',
  delivered: 41,
  failed: 2,
  waiting: 1,
  failingSince: '2026-11-18T12:00:00Z',
}
const OLD: LeadDestination = {
  ...CRM,
  id: '15',
  name: 'Old CRM',
  url: 'https://old.northgate.example/hook',
  delivered: 0,
  failed: 9,
  waiting: 3,
  failingSince: '2026-11-10T12:00:00Z',
  stoppedAt: '2026-11-15T12:00:00Z',
  stopReason: 'No delivery succeeded for five days.',
  rules: 0,
}
const TEAM: LeadDestination = {
  ...ANA,
  id: '16',
  name: 'Internet team',
  kind: 'team',
  userId: null,
  userName: null,
  memberIds: ['1', '2'],
  members: [
    { userId: '1', name: 'Ana Souza', until: null },
    { userId: '2', name: 'Luis Ortega', until: '2026-11-20' },
  ],
  dailyCap: null,
}
const DESTINATIONS = [ANA, CRM, ELEADS, OLD, OUTLET, TEAM]

const to = (...ids: string[]) => ids.map((destinationId) => ({ destinationId, weight: 1 }))
const FORD: LeadRoutingRule = {
  id: '1',
  name: 'Ford used, open hours',
  number: 1,
  isActive: true,
  storeId: null,
  isCatchAll: false,
  lotIds: ['1'],
  leadTypes: ['used'],
  sources: [],
  makes: ['Ford'],
  models: [],
  priceFromCents: null,
  priceToCents: 4_000_000,
  campaigns: [],
  formIds: [],
  postalCodes: [],
  languages: [],
  hours: 'open',
  fromTime: null,
  untilTime: null,
  tradeIn: 'any',
  condition: '',
  strategy: 'weighted',
  targets: [
    { destinationId: '11', weight: 1 },
    { destinationId: '12', weight: 2 },
  ],
  stopsHere: true,
  dedupeMinutes: 43_200,
  ...SAVED,
}
const PLAIN: LeadRoutingRule = {
  ...FORD,
  lotIds: [],
  leadTypes: [],
  makes: [],
  priceToCents: null,
  hours: 'any',
  strategy: 'all',
}
const RULES: readonly LeadRoutingRule[] = [
  FORD,
  {
    ...PLAIN,
    id: '2',
    number: 2,
    name: 'Every Toyota',
    makes: ['Toyota'],
    strategy: 'failover',
    targets: to('14', '12'),
  },
  {
    ...PLAIN,
    id: '3',
    number: 3,
    name: 'Toyota with a trade-in',
    makes: ['Toyota'],
    tradeIn: 'with',
    targets: to('11'),
  },
  { ...PLAIN, id: '4', number: 4, name: 'Outlet', sources: ['Outlet page'], targets: to('13') },
  {
    ...PLAIN,
    id: '5',
    number: 5,
    name: 'Spanish at night',
    isActive: false,
    languages: ['es'],
    hours: 'between',
    fromTime: '18:00',
    untilTime: '08:00',
    strategy: 'round-robin',
    targets: to('11', '16'),
  },
  { ...PLAIN, id: '6', number: 6, name: 'All other leads', isCatchAll: true, targets: to('16') },
]
const EFFECTS = RULES.map(({ id: ruleId }, at) => ({
  ruleId,
  sent: [61, 48, 0, 0, 12, 139][at] ?? 0,
  warning: null,
}))

const SETTINGS = {
  canChange: true,
  currency: 'USD',
  lots: [
    { id: '1', name: 'Northgate Ford' },
    { id: '2', name: 'Northgate Toyota' },
  ],
  forms: [{ id: '1', name: 'Ask about a vehicle' }],
  users: [
    { id: '1', name: 'Ana Souza' },
    { id: '2', name: 'Luis Ortega' },
  ],
  sources: ['AutoTrader', 'Website form'],
  makes: ['Ford', 'Toyota'],
  models: ['F-150', 'Tacoma'],
  campaigns: [],
  languages: ['en', 'es'],
}

const DELIVERED: LeadDelivery = {
  id: '1',
  leadId: '1',
  leadName: 'Marcus Bell',
  destinationId: '12',
  destinationName: 'Eleads',
  kind: 'adf',
  state: 'delivered',
  isTest: false,
  attempts: 1,
  doubts: 0,
  response: '250 2.0.0 Ok: queued',
  createdAt: '2026-11-18T14:31:02Z',
  nextAttemptAt: null,
  finishedAt: '2026-11-18T14:31:05Z',
}
const DOUBT: LeadDelivery = {
  ...DELIVERED,
  id: '2',
  leadName: 'Ana Lima',
  destinationId: '14',
  destinationName: 'CRM webhook',
  kind: 'webhook',
  state: 'in-doubt',
  attempts: 1,
  doubts: 1,
  response: null,
  nextAttemptAt: '2026-11-18T15:01:00Z',
  finishedAt: null,
}
const FAILED: LeadDelivery = {
  ...DELIVERED,
  id: '3',
  leadName: 'Tom Becker',
  destinationId: '14',
  destinationName: 'CRM webhook',
  kind: 'webhook',
  state: 'failed',
  attempts: 8,
  response: 'HTTP 503: upstream is not available',
}
const AGAIN: LeadDelivery = {
  ...FAILED,
  id: '4',
  leadId: null,
  leadName: null,
  isTest: true,
  state: 'queued',
  attempts: 2,
  nextAttemptAt: '2026-11-18T15:05:00Z',
  finishedAt: null,
}
const DELIVERIES = [DOUBT, DELIVERED, FAILED, AGAIN]

const ROUTE = {
  at: '2026-11-18T14:31:02Z',
  destinations: [{ destinationId: '14', name: 'CRM webhook' }],
  steps: [
    {
      ruleId: '1',
      name: 'Ford used, open hours',
      number: 1,
      outcome: 'sent',
      why: 'Weighted 1:2: CRM webhook was next',
    },
    {
      ruleId: '2',
      name: 'Every Toyota',
      number: 2,
      outcome: 'not reached',
      why: 'an earlier rule has sent the lead',
    },
  ],
}
const RECORD = {
  ...DOUBT,
  key: 'lead-20264-12',
  mailId: null,
  log: [
    {
      number: 1,
      startedAt: '2026-11-18T14:31:02Z',
      endedAt: null,
      outcome: 'in-doubt',
      status: null,
      response: null,
    },
  ],
}

const given = {
  rules: { endpoint: leadRoutingRules.list, data: RULES },
  effects: { endpoint: leadRoutingRules.effects, data: EFFECTS },
  settings: { endpoint: leadRoutingRules.settings, data: SETTINGS },
  readOnly: { endpoint: leadRoutingRules.settings, data: { ...SETTINGS, canChange: false } },
  destinations: { endpoint: leadDestinations.list, data: DESTINATIONS },
  none: { endpoint: leadDestinations.list, data: [] },
  rule: { endpoint: leadRoutingRules.get, data: FORD },
  last: { endpoint: leadRoutingRules.get, data: RULES.at(-1) },
  destination: { endpoint: leadDestinations.get, data: ELEADS },
  team: { endpoint: leadDestinations.get, data: TEAM },
  stopped: { endpoint: leadDestinations.get, data: OLD },
  deliveries: {
    endpoint: leadDeliveries.list,
    data: { filteredRows: 4, totalRows: 4, results: DELIVERIES },
  },
  delivery: { endpoint: leadDeliveries.get, data: RECORD },
  content: {
    endpoint: leadDeliveries.content,
    data: {
      to: 'https://crm.northgate.example/leads',
      subject: null,
      format: 'application/json',
      body: '{"type":"lead.created","data":{"person":{"name":"Ana Lima"},"vehicleTitle":"2023 Ford F-150 XLT"}}',
    },
  },
  route: { endpoint: leadRoutingRules.explain, data: ROUTE },
  trial: {
    endpoint: leadRoutingRules.simulate,
    data: {
      leads: 200,
      since: '2026-09-03T08:00:00Z',
      matched: 61,
      moved: 12,
      warning: null,
      destinations: [
        { destinationId: '12', name: 'Eleads', before: 88, after: 92 },
        { destinationId: '11', name: 'Ana Souza', before: 60, after: 68 },
        { destinationId: '16', name: 'Internet team', before: 52, after: 40 },
      ],
      examples: ['Marcus Bell', 'Ana Lima', 'Tom Becker'].map((name, at) => ({
        leadId: String(at + 1),
        name,
        receivedAt: '2026-11-17T18:02:00Z',
        before: at === 2 ? [] : ['Internet team'],
        after: ['Eleads'],
      })),
    },
  },
}
const setup = [given.rules, given.effects, given.destinations, given.settings]

async function tryRule(page: Page): Promise<void> {
  await button(page, 'Try it').click()
  await see(drawer(page).getByText('12 leads').first())
}

/** The pages of lead routing. */
export const LEAD_ROUTING_PAGES = {
  '/customers/lead-routing': {
    person: ADMIN,
    views: {
      'lead-routing': {
        url: '/customers/lead-routing',
        given: setup,
        whole: (page) => see(page.getByText('Never reached').first(), page.getByText('All other leads')),
      },
      'lead-routing-first': {
        url: '/customers/lead-routing',
        given: [{ endpoint: leadRoutingRules.list, data: RULES.slice(-1) }, ...setup.slice(1)],
        whole: text('No routing rules yet'),
      },
      'lead-routing-read-only': {
        url: '/customers/lead-routing',
        given: [given.rules, given.effects, given.destinations, given.readOnly],
        whole: text('Only users with access to all of them can change it.'),
      },
      'lead-rule': {
        url: '/customers/lead-routing?rule=1',
        given: [...setup, given.rule],
        whole: (page) => see(drawer(page).getByText('Make is any of'), button(page, 'Try it')),
      },
      'lead-rule-trial': {
        url: '/customers/lead-routing?rule=1',
        given: [...setup, given.rule, given.trial],
        whole: tryRule,
      },
      'lead-rule-last': {
        url: '/customers/lead-routing?rule=6',
        given: [...setup, given.last],
        whole: inDrawer('This rule gets every lead that no other rule has sent'),
      },
      'lead-rule-new': {
        url: '/customers/lead-routing?rule=new',
        given: setup,
        whole: (page) => see(field(page, 'Name'), button(page, 'Add condition')),
      },
    },
    loads: [
      {
        url: '/customers/lead-routing',
        endpoint: leadRoutingRules.list,
        what: 'the lead routing rules',
        loading: 'Loading the rules',
        more: {
          empty: {
            answer: { status: 200, data: RULES.slice(-1) },
            says: ['No routing rules yet', 'All other leads'],
          },
        },
      },
      {
        url: '/customers/lead-routing?rule=1',
        endpoint: leadRoutingRules.get,
        what: 'this rule',
        loading: 'Loading the rule',
      },
    ],
  },
  '/customers/lead-routing/destinations': {
    person: ADMIN,
    views: {
      'lead-destinations': {
        url: '/customers/lead-routing/destinations',
        given: setup,
        whole: text('Stopped'),
      },
      'lead-destination': {
        url: '/customers/lead-routing/destinations?destination=12',
        given: [...setup, given.destination],
        whole: (page) => see(field(page, 'Email address'), button(page, 'Send a test')),
      },
      'lead-destination-stopped': {
        url: '/customers/lead-routing/destinations?destination=15',
        given: [...setup, given.stopped],
        whole: (page) => see(button(page, 'Start deliveries again'), button(page, 'Replace secret')),
      },
      'lead-destination-team': {
        url: '/customers/lead-routing/destinations?destination=16',
        given: [...setup, given.team],
        whole: inDrawer('Off until'),
      },
      'lead-destination-new': {
        url: '/customers/lead-routing/destinations?destination=new',
        given: setup,
        whole: (page) => see(field(page, 'Email address')),
      },
    },
    loads: [
      {
        url: '/customers/lead-routing/destinations',
        endpoint: leadDestinations.list,
        what: 'the destinations',
        loading: 'Loading the destinations',
        more: {
          empty: { answer: { status: 200, data: [] }, says: ['No destinations yet', 'Add destination'] },
        },
      },
      {
        url: '/customers/lead-routing/destinations?destination=12',
        endpoint: leadDestinations.get,
        what: 'this destination',
        loading: 'Loading the destination',
      },
    ],
  },
  '/customers/lead-routing/deliveries': {
    person: ADMIN,
    views: {
      'lead-deliveries': {
        url: '/customers/lead-routing/deliveries',
        given: [given.deliveries],
        whole: text('Tom Becker'),
      },
      'lead-delivery': {
        url: '/customers/lead-routing/deliveries?delivery=2',
        given: [given.deliveries, given.delivery, given.content, given.route],
        whole: inDrawer('Weighted 1:2: CRM webhook was next'),
      },
    },
    loads: [
      {
        url: '/customers/lead-routing/deliveries',
        endpoint: leadDeliveries.list,
        what: 'the list of deliveries',
        loading: 'Loading deliveries',
        more: {
          empty: { answer: rows(0, 0), says: ['No deliveries yet'] },
        },
      },
      {
        url: '/customers/lead-routing/deliveries?delivery=2',
        endpoint: leadDeliveries.get,
        what: 'this delivery',
        loading: 'Loading the delivery',
      },
    ],
  },
  '/customers/lead-routing/webhooks': {
    person: ADMIN,
    views: {
      'lead-webhooks': {
        url: '/customers/lead-routing/webhooks',
        given: [...setup, given.deliveries],
        whole: (page) => see(page.getByText('Latest calls').first(), page.getByText('Check the signature')),
      },
      'lead-webhook-new': {
        url: '/customers/lead-routing/webhooks?webhook=new',
        given: [...setup, given.deliveries],
        whole: (page) => see(field(page, 'URL')),
      },
    },
    loads: [
      {
        url: '/customers/lead-routing/webhooks',
        endpoint: leadDestinations.list,
        what: 'the webhooks',
        loading: 'Loading the webhooks',
        more: {
          empty: { answer: { status: 200, data: [] }, says: ['No webhooks yet', 'Add webhook'] },
        },
      },
    ],
  },
} satisfies Readonly<Partial<Record<PagePath, PageCase>>>
