import type { Page } from 'playwright-core'
import type { z } from 'zod'
import { answerTemplates } from '#contract/leads/reply-templates/answer-templates.ts'
import type { Lead } from '#contract/leads/inbox/lead-list.ts'
import { leadResponses } from '#contract/leads/inbox/lead-responses.ts'
import { type LeadSettings, leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

const MARCUS: Lead = {
  id: '1',
  type: 'used',
  status: 'routed',
  outcome: 'open',
  lostReason: null,
  appointmentAt: null,
  isTest: false,
  personId: '1',
  personName: 'Marcus Bell',
  personEmail: 'marcus.bell@mail.example',
  personPhone: '(916) 555-0178',
  sourceKind: 'form',
  sourceName: 'Website form',
  organizationId: '1',
  lotId: '1',
  needsStore: false,
  lotName: 'Northgate Ford',
  zone: 'America/Los_Angeles',
  vehicleId: '1',
  vehicleTitle: '2023 Ford F-150 XLT',
  vehicleVin: null,
  isSoldElsewhere: false,
  vehiclePriceCents: 4_418_000,
  currency: 'USD',
  preview: 'Is the bed liner included? Could I see it on Saturday?',
  previewBy: 'buyer',
  ownerId: null,
  ownerName: null,
  isMine: false,
  acceptBy: null,
  acceptedAt: null,
  respondBy: '2026-11-18T14:46:00Z',
  waitsUntil: '2026-11-18T14:46:00Z',
  isLate: true,
  firstResponseAt: null,
  firstResponseBy: null,
  unansweredSince: null,
  snoozedUntil: null,
  duplicateOfId: null,
  unfinished: null,
  receivedAt: '2026-11-18T14:31:00Z',
  version: 1,
  updatedAt: '2026-11-18T14:31:00Z',
  updatedBy: null,
}
const JOANNA: Lead = {
  ...MARCUS,
  id: '2',
  personName: 'Joanna Reyes',
  vehicleTitle: '2022 Toyota Corolla Cross',
  status: 'delivered',
  ownerId: '1',
  ownerName: 'Dana Whitfield',
  isMine: true,
  acceptedAt: '2026-11-18T13:00:00Z',
  waitsUntil: null,
  isLate: false,
  firstResponseAt: '2026-11-18T13:05:00Z',
  firstResponseBy: 'Dana Whitfield',
  preview: 'Saturday at 10 works.',
  previewBy: 'store',
}
const SPAM: Lead = {
  ...MARCUS,
  id: '3',
  personName: 'SEO Experts',
  vehicleTitle: null,
  vehicleId: null,
  status: 'quarantined',
  waitsUntil: null,
  isLate: false,
  preview: 'First place on every search engine',
}

const RECORD: LeadRecord = {
  ...MARCUS,
  document: null,
  person: {
    id: '1',
    name: 'Marcus Bell',
    firstName: 'Marcus',
    lastName: 'Bell',
    email: 'marcus.bell@mail.example',
    phone: '(916) 555-0178',
    phoneE164: '+19165550178',
    street: null,
    city: null,
    region: null,
    postalCode: '95821',
    country: null,
    language: 'en',
    preferredContact: 'call',
    contactTime: 'Afternoon',
    version: 1,
    updatedAt: '2026-11-18T14:31:00Z',
    updatedBy: null,
  },
  vehicle: {
    id: '1',
    title: '2023 Ford F-150 XLT',
    vin: null,
    stock: 'P41877',
    status: 'live',
    mileage: 18_240,
    distanceUnit: 'mi',
    daysInStock: 97,
    photo: null,
    isSoldElsewhere: false,
    totalCents: 4_418_000,
    law: 'us-ca',
    priceText: 'The total price of the 2023 Ford F-150 XLT is $44,180. Includes all dealer fees.',
    priceDisclaimers: ['Mileage as shown. Subject to prior sale.'],
    otherLeads: 5,
  },
  soldVehicle: null,
  isManager: false,
  askedVehicle: {},
  tradeIn: { year: 2017, make: 'Toyota', model: 'Tacoma', trim: 'SR5', mileage: 88_000 },
  comments: 'Is the bed liner included? Could I see it on Saturday?',
  campaign: { utm_campaign: 'used-trucks' },
  pageUrl: null,
  referrer: null,
  language: 'en',
  suspicions: [],
  formId: '1',
  formName: 'Ask about a vehicle',
  submissionId: '1',
  files: [],
  source: {
    id: '1',
    contentType: 'application/xml',
    warnings: ['No vehicle in stock has stock number P41878.'],
  },
  responseSeconds: null,
  openResponseSeconds: null,
  responseMinutes: 15,
  timeline: [
    {
      id: '1',
      at: '2026-11-18T14:31:00Z',
      kind: 'received',
      byName: null,
      data: { sourceName: 'Website form' },
      message: null,
    },
    {
      id: '2',
      at: '2026-11-18T14:31:00Z',
      kind: 'consent',
      byName: null,
      data: { consent: 'given', channels: ['email', 'call'], text: 'You may answer me by email and phone.' },
      message: null,
    },
    {
      id: '3',
      at: '2026-11-18T14:31:10Z',
      kind: 'auto-reply',
      byName: null,
      data: {},
      message: {
        id: '1',
        direction: 'out',
        isAutomatic: true,
        fromName: 'Northgate Ford',
        fromEmail: null,
        toEmail: 'marcus.bell@mail.example',
        subject: 'We have your question',
        text: 'Hello Marcus,\n\nthank you for asking about the 2023 Ford F-150 XLT.',
        delivery: 'delivered',
        error: null,
      },
    },
  ],
  consents: [],
  channels: [
    { channel: 'email', isAllowed: true, reason: null },
    { channel: 'call', isAllowed: true, reason: null },
    { channel: 'text', isAllowed: false, reason: 'Text needs consent.' },
  ],
  otherLeads: [],
  merges: [],
  moves: [],
  repliesReturn: false,
  ownAddress: 'luis.ortega@northgate.example',
  ownName: 'Luis Ortega',
  keepUntil: '2028-11-18T14:31:00Z',
}

const given = {
  leads: {
    endpoint: leads.list,
    data: { filteredRows: 3, totalRows: 3, results: [MARCUS, JOANNA, SPAM] },
  },
  lead: { endpoint: leads.get, data: RECORD },
  spam: {
    endpoint: leads.get,
    data: { ...RECORD, ...SPAM, vehicle: null, tradeIn: null, timeline: [], suspicions: ['links'] },
  },
}

const pane = (page: Page) => page.getByRole('region', { name: 'Lead', exact: true })
const REPORT: z.output<typeof leadResponses.get.output> = {
  total: {
    leads: 41,
    answered: 36,
    late: 4,
    medianSeconds: 480,
    shareUnderFive: 0.42,
    sold: 5,
    lost: 9,
  },
  zone: 'America/Los_Angeles',
  byLot: [],
  byUser: [],
  bySource: [],
}
const SETTINGS: LeadSettings = {
  responseMinutes: 15,
  acceptMinutes: 5,
  keepMonths: 24,
  quarantineDays: 30,
  unfinishedMinutes: null,
  replyAddress: 'leads@inbound.northgate.example',
  reachesAll: true,
  lots: [
    {
      lotId: '1',
      lotName: 'Northgate Ford',
      vendorNames: [],
      dealerCodes: [],
      postalCodes: [],
      returnsToPerson: true,
      responseMinutes: null,
      managerId: '1',
      managerName: 'Dana Whitfield',
      choices: [{ id: '1', name: 'Dana Whitfield' }],
    },
  ],
  version: 1,
  updatedAt: null,
  updatedBy: null,
}
const templates = {
  endpoint: answerTemplates.list,
  data: [
    {
      id: '1',
      name: 'Still available',
      subject: null,
      text: 'Hello {firstName},\n\nyes, the {vehicle} is still here. {price}',
      version: 1,
      updatedAt: '2026-11-18T14:31:00Z',
      updatedBy: null,
    },
  ],
}
const settings = { endpoint: leadSettings.get, data: SETTINGS }
const report = {
  endpoint: leadResponses.get,
  data: { ...REPORT, byUser: [{ ...REPORT.total, id: '1', name: 'Dana Whitfield' }] },
}

/** The inbox of leads. */
export const LEAD_PAGES = {
  '/customers/leads': {
    person: ADMIN,
    views: {
      leads: { url: '/customers/leads', given: [given.leads], whole: text('Marcus Bell') },
      lead: {
        url: '/customers/leads?lead=1',
        given: [given.leads, given.lead],
        whole: (page) => see(pane(page).getByText('Is the bed liner included?', { exact: false }).first()),
      },
      'lead-spam': {
        url: '/customers/leads?lead=3&queue=quarantined',
        given: [given.leads, given.spam],
        whole: (page) => see(pane(page).getByText('It contains several links.')),
      },
      'lead-new': { url: '/customers/leads?lead=new', whole: (page) => see(field(page, 'First name')) },
      'leads-table': {
        url: '/customers/leads?layout=table',
        given: [given.leads],
        whole: text('Marcus Bell'),
      },
      'lead-drawer': {
        url: '/customers/leads?layout=table&lead=1',
        given: [given.leads, given.lead],
        whole: (page) => see(drawer(page).getByText('Other leads')),
      },
      'lead-responses': {
        url: '/customers/leads?panel=responses',
        given: [given.leads, report],
        whole: (page) => see(drawer(page).getByText('By owner')),
      },
      'lead-settings': {
        url: '/customers/leads?panel=settings',
        given: [given.leads, settings],
        whole: (page) => see(field(page, 'Reply address')),
      },
      'answer-templates': {
        url: '/customers/leads?panel=templates',
        given: [given.leads, templates],
        whole: (page) => see(drawer(page).getByText('Still available')),
      },
      'lead-data': {
        url: '/customers/leads?panel=data',
        given: [given.leads],
        whole: (page) => see(drawer(page).getByText('All data about a buyer in the stores you can access')),
      },
      'leads-quarantined': {
        url: '/customers/leads?queue=quarantined',
        given: [{ ...given.leads, data: { filteredRows: 0, totalRows: 3, results: [] } }],
        whole: text('Forms and emails that look like spam'),
      },
    },
    loads: [
      {
        url: '/customers/leads',
        endpoint: leads.list,
        what: 'the list of leads',
        loading: 'Loading leads',
        more: {
          empty: { answer: rows(0, 0), says: ['Inbox clear', 'New leads appear here.'] },
        },
      },
      { url: '/customers/leads?lead=1', endpoint: leads.get, what: 'this lead', loading: 'Loading the lead' },
      {
        url: '/customers/leads?panel=responses',
        endpoint: leadResponses.get,
        what: 'the response report',
        loading: 'Loading the report',
      },
      {
        url: '/customers/leads?panel=settings',
        endpoint: leadSettings.get,
        what: 'the lead settings',
        loading: 'Loading the lead settings',
      },
      {
        url: '/customers/leads?panel=templates',
        endpoint: answerTemplates.list,
        what: 'the templates',
        loading: 'Loading the templates',
        more: {
          empty: { answer: { status: 200, data: [] }, says: ['No templates yet', 'fills in the buyer'] },
        },
      },
    ],
  },
} satisfies Readonly<Partial<Record<PagePath, PageCase>>>
