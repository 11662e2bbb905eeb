import type { Page } from 'playwright-core'
import { type InboundAddress, inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import {
  type InboundMessage,
  type InboundMessageRecord,
  inboundMessages,
} from '#contract/leads/inbound/inbound-messages.ts'
import { SAMPLE_ADF } from '#contract/leads/inbound/sample-adf.ts'
import type { PageCase, PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const SAVED = { version: 2, updatedAt: '2026-11-12T09:00:00Z', updatedBy: 'Dana Whitfield' }
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

const CARS: InboundAddress = {
  id: '1',
  label: 'Cars.com',
  sourceName: 'Cars.com',
  lotId: '2',
  isGroup: false,
  lotName: 'Northgate Toyota',
  organizationName: 'Northgate Toyota',
  tokenAt: '2026-10-02T09:00:00Z',
  lastReceivedAt: '2026-11-18T13:48:00Z',
  messages: 41,
  leads: 39,
  automatic: 3,
  quarantined: 2,
  ...SAVED,
}
const ADDRESSES: readonly InboundAddress[] = [
  {
    ...CARS,
    id: '2',
    label: 'AutoTrader',
    sourceName: 'AutoTrader',
    lotName: 'Northgate Ford',
    messages: 64,
    leads: 61,
    automatic: 0,
    quarantined: 0,
  },
  CARS,
  {
    ...CARS,
    id: '3',
    label: 'CarGurus',
    sourceName: 'CarGurus',
    tokenAt: null,
    lastReceivedAt: null,
    messages: 0,
    leads: 0,
    automatic: 0,
    quarantined: 0,
  },
]

const RECEIVED: InboundMessage = {
  id: '1',
  addressId: '2',
  addressLabel: 'AutoTrader',
  sourceName: 'AutoTrader',
  kind: 'adf',
  state: 'received',
  reason: null,
  automatic: null,
  fromEmail: null,
  subject: null,
  receivedAt: '2026-11-18T14:36:00Z',
  repeats: 1,
  warnings: 2,
  leads: [{ id: '1', name: 'Dana Sample', vehicleTitle: '2021 Ford Escape SE, NF10414', isNew: true }],
}
const REFUSED: InboundMessage = {
  ...RECEIVED,
  id: '2',
  addressId: '1',
  addressLabel: 'Cars.com',
  sourceName: 'Cars.com',
  state: 'quarantined',
  reason: 'The document is incomplete: it ends before "adf", "prospect" is closed.',
  receivedAt: '2026-11-18T13:48:00Z',
  repeats: 0,
  warnings: 0,
  leads: [],
}
const IGNORED: InboundMessage = {
  ...REFUSED,
  id: '3',
  kind: 'email',
  state: 'ignored',
  reason:
    'This looks like an automatic reply, such as an out-of-office notice. If it is an inquiry, add it as a lead; otherwise dismiss it.',
  automatic: 'autoSubmitted',
  fromEmail: 'robert.hill@mail.example',
  subject: 'Automatic reply: Your appointment',
}
const REPLY: InboundMessage = {
  ...RECEIVED,
  id: '4',
  kind: 'email',
  state: 'reply',
  fromEmail: 'hana.sato@mail.example',
  subject: 'Re: Your Escape',
  repeats: 0,
  warnings: 0,
  leads: [{ id: '7', name: 'Hana Sato', vehicleTitle: '2023 Ford Escape ST-Line', isNew: false }],
}
const MESSAGES = [REFUSED, RECEIVED, REPLY, IGNORED]
const recordOf = (message: InboundMessage, raw: string): InboundMessageRecord => ({
  ...message,
  raw,
  correctedText: null,
  reviewedBy: null,
  encoding: 'utf-8',
  contentType: 'application/xml',
  files: [{ name: 'car.jpg', type: 'image/jpeg', bytes: 2_400_000, refusal: null }],
  warningSentences: [
    'The document does not say which version of ADF it uses.',
    'The check digit of the VIN "1HGCM82633A123456" is wrong.',
  ].slice(0, message.warnings),
})

const given = {
  addresses: { endpoint: inboundAddresses.list, data: ADDRESSES },
  address: { endpoint: inboundAddresses.get, data: CARS },
  urls: {
    endpoint: inboundAddresses.renewUrls,
    data: {
      adfPath: '/api/leads/adf/3-1-b0Rq3l1mC8w2kUe7nVhQ5yZsX9tJdLaGfPiMoEuTrNk',
      mailPath: '/api/leads/mail/3-1-b0Rq3l1mC8w2kUe7nVhQ5yZsX9tJdLaGfPiMoEuTrNk',
    },
  },
  messages: {
    endpoint: inboundMessages.list,
    data: { results: MESSAGES, rowCount: 4, quarantined: 3, automatic: { count: 2, upTo: '9' } },
  },
  refused: { endpoint: inboundMessages.get, data: recordOf(REFUSED, SAMPLE_ADF.slice(0, 700)) },
  received: { endpoint: inboundMessages.get, data: recordOf(RECEIVED, SAMPLE_ADF) },
  ignored: { endpoint: inboundMessages.get, data: recordOf(IGNORED, '{\n  "Subject": "Automatic reply"\n}') },
}
const NO_MESSAGES = { results: [], rowCount: 0, quarantined: 0, automatic: { count: 0, upTo: null } }
const PATH = '/customers/lead-routing/inbound'
const setup = [given.addresses, given.messages]

async function createUrls(page: Page): Promise<void> {
  await button(page, 'Replace URLs').click()
  await button(page, 'Replace URLs').last().click()
  await see(field(page, 'ADF URL'))
}

async function correctText(page: Page): Promise<void> {
  await button(page, 'Correct the text').click()
  await see(drawer(page).getByRole('textbox', { name: 'Corrected text' }))
}

/** The inbound addresses of lead routing, and what arrived there. */
export const INBOUND_PAGES = {
  [PATH]: {
    person: ADMIN,
    views: {
      'lead-inbound': { url: PATH, given: setup, whole: text('Cars.com, Northgate Toyota') },
      'lead-inbound-address': {
        url: `${PATH}?address=1`,
        given: [...setup, given.address],
        whole: (page) => see(field(page, 'Lead source'), button(page, 'Replace URLs')),
      },
      'lead-inbound-urls': {
        url: `${PATH}?address=1`,
        given: [...setup, given.address, given.urls],
        whole: createUrls,
      },
      'lead-inbound-new': {
        url: `${PATH}?address=new`,
        given: setup,
        whole: (page) =>
          see(field(page, 'Lead source'), drawer(page).getByRole('button', { name: 'Add inbound address' })),
      },
      'lead-inbound-refused': {
        url: `${PATH}?message=2`,
        given: [...setup, given.refused],
        whole: (page) => see(button(page, 'Correct the text'), button(page, 'Dismiss')),
      },
      'lead-inbound-correct': {
        url: `${PATH}?message=2`,
        given: [...setup, given.refused],
        whole: correctText,
      },
      'lead-inbound-received': {
        url: `${PATH}?message=1`,
        given: [...setup, given.received],
        whole: (page) => see(drawer(page).getByText('2 warnings')),
      },
      'lead-inbound-ignored': {
        url: `${PATH}?message=3`,
        given: [...setup, given.ignored],
        whole: (page) => see(button(page, 'Add as lead')),
      },
    },
    loads: [
      {
        url: PATH,
        endpoint: inboundAddresses.list,
        what: 'the inbound addresses',
        loading: 'Loading the inbound addresses',
        more: {
          empty: {
            answer: { status: 200, data: [] },
            says: ['No inbound addresses yet', 'Add inbound address'],
          },
        },
      },
      {
        url: PATH,
        endpoint: inboundMessages.list,
        what: 'the messages',
        loading: 'Loading the messages',
        more: { empty: { answer: { status: 200, data: NO_MESSAGES }, says: ['Nothing has arrived yet'] } },
      },
      {
        url: `${PATH}?address=1`,
        endpoint: inboundAddresses.get,
        what: 'this inbound address',
        loading: 'Loading the inbound address',
      },
      {
        url: `${PATH}?message=2`,
        endpoint: inboundMessages.get,
        what: 'this message',
        loading: 'Loading the message',
      },
    ],
  },
} satisfies Readonly<Partial<Record<PagePath, PageCase>>>
