import type { Page } from 'playwright-core'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import type { PagePath } from '#e2e/harness/page-case.ts'
import { type PageCase, rows } from '#e2e/harness/page-case.ts'
import { field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const LIST = '/dvp/campaigns'
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
