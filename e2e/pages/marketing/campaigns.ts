import type { Page } from 'playwright-core'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { importedLists } from '#contract/marketing/campaigns/imported-lists.ts'
import { campaignRecipients } from '#contract/marketing/campaigns/recipients.ts'
import type { PagePath } from '#e2e/harness/page-case.ts'
import { type PageCase, rows } from '#e2e/harness/page-case.ts'
import { field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const LIST = '/dvp/campaigns'
const LISTS = '/dvp/campaigns/imported-lists'
const FINISHED = { list: LIST, link: 'Truck weeks' }
const text = (words: string) => (page: Page) => see(page.getByText(words).first())

/** The list of campaigns and the page of each. */
export const CAMPAIGNS = {
  '/dvp/campaigns': {
    person: ADMIN,
    views: {
      campaigns: { url: LIST, whole: text('Truck weeks') },
      'campaign-new': { url: `${LIST}?drawer=new`, whole: (page) => see(field(page, 'Name')) },
    },
    loads: [
      {
        url: LIST,
        endpoint: campaigns.list,
        what: 'the list of campaigns',
        loading: 'Loading campaigns',
        more: {
          empty: { answer: rows(0, 0), says: ['No campaigns yet', 'New campaign'] },
          'nothing found': {
            url: `${LIST}?search=zebra`,
            answer: rows(0, 3),
            says: ['No campaigns match “zebra”'],
          },
        },
      },
    ],
  },
  '/dvp/campaigns/recipients': {
    person: ADMIN,
    views: { recipients: { url: '/dvp/campaigns/recipients', whole: text('Truck weeks') } },
    loads: [
      {
        url: '/dvp/campaigns/recipients',
        endpoint: campaignRecipients.list,
        what: 'the list of recipients',
        loading: 'Loading recipients',
        more: {
          empty: { answer: rows(0, 0), says: ['No recipients yet'] },
          'nothing found': {
            url: '/dvp/campaigns/recipients?search=zebra',
            answer: rows(0, 3),
            says: ['No recipients match “zebra”'],
          },
        },
      },
    ],
  },
  '/dvp/campaigns/imported-lists': {
    person: ADMIN,
    views: {
      'imported-lists': { url: LISTS, whole: text('Spring event sign-ups') },
      'imported-list': {
        url: { list: LISTS, link: 'Spring event sign-ups' },
        whole: text('Without proof, not asked'),
      },
      'import-list': { url: `${LISTS}?list=new`, whole: (page) => see(field(page, 'Name')) },
    },
    loads: [
      {
        url: LISTS,
        endpoint: importedLists.list,
        what: 'the imported lists',
        loading: 'Loading the imported lists',
        more: { empty: { answer: { status: 200, data: [] }, says: ['No imported lists yet'] } },
      },
      {
        url: `${LISTS}?list=1`,
        endpoint: importedLists.get,
        what: 'this list',
        loading: 'Loading the list',
      },
    ],
  },
  '/dvp/campaigns/$id': {
    person: ADMIN,
    views: {
      campaign: { url: FINISHED, whole: text('By vehicle') },
    },
    loads: [
      { url: `${LIST}/1`, endpoint: campaigns.get, what: 'this campaign', loading: 'Loading the campaign' },
      {
        url: `${LIST}/1?tab=checks`,
        endpoint: campaigns.checks,
        what: 'the checks',
        loading: 'Loading the checks',
      },
      {
        url: `${LIST}/2?tab=funnel`,
        endpoint: campaigns.funnel,
        what: 'the funnel',
        loading: 'Loading the funnel',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
