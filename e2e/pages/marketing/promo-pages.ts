import type { Page } from 'playwright-core'
import { dvpLayouts, LAYOUT_LIST } from '#contract/marketing/layouts/layouts.ts'
import { SAVED_BLOCKS_LIST, savedBlocks } from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import type { PagePath } from '#e2e/harness/page-case.ts'
import { type PageCase, rows } from '#e2e/harness/page-case.ts'
import { field, see } from '#e2e/harness/steps.ts'
import { recordPage } from '#e2e/pages/record-page.ts'

const ADMIN = 'northgate.admin'
const LIST = '/administration/promo-pages'
const TRUCKS = { list: LIST, link: 'November truck clearance' }
const text = (words: string) => (page: Page) => see(page.getByText(words).first())

/** The editor and, in its frame, the page. */
async function withPreview(page: Page): Promise<void> {
  await text('Locked by the layout')(page)
  await see(page.frameLocator('iframe[title="Preview of the page"]').getByRole('heading').first())
}

/** The pages of promo pages and their layouts. */
export const PROMO_PAGES = {
  '/administration/promo-pages': {
    person: ADMIN,
    views: {
      'promo-pages': { url: LIST, whole: text('Winter tires') },
      'promo-page-new': { url: `${LIST}?drawer=new`, whole: (page) => see(field(page, 'Name')) },
    },
    loads: [
      {
        url: LIST,
        endpoint: promoPages.list,
        what: 'the list of promo pages',
        loading: 'Loading promo pages',
        more: {
          empty: { answer: rows(0, 0), says: ['No promo pages yet', 'New promo page'] },
          'nothing found': {
            url: `${LIST}?search=zebra`,
            answer: rows(0, 6),
            says: ['No promo pages match “zebra”'],
          },
        },
      },
    ],
  },
  '/administration/promo-pages/$id': {
    person: ADMIN,
    views: {
      'promo-page': { url: TRUCKS, whole: withPreview },
    },
    loads: [
      {
        url: `${LIST}/1`,
        endpoint: promoPages.get,
        what: 'this promo page',
        loading: 'Loading the promo page',
      },
      {
        url: `${LIST}/1?tab=versions`,
        endpoint: promoPages.versions,
        what: 'the versions',
        loading: 'Loading the versions',
      },
      {
        url: `${LIST}/1?tab=visits`,
        endpoint: promoPages.visits,
        what: 'the visits',
        loading: 'Loading the visits',
      },
    ],
  },
  '/administration/saved-blocks': recordPage(ADMIN, {
    list: SAVED_BLOCKS_LIST,
    calls: savedBlocks,
    param: 'saved',
    opened: 'Terms of offers',
    total: 1,
  }),
  '/administration/dvp-layouts': recordPage(ADMIN, {
    list: LAYOUT_LIST,
    calls: dvpLayouts,
    param: 'layout',
    opened: 'Northgate 2026',
    total: 1,
  }),
} as const satisfies Partial<Record<PagePath, PageCase>>
