import type { Page } from 'playwright-core'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const MAPPING = { list: '/administration/provider-mappings', link: 'HomeNet nightly' } as const
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())

/** Provider mappings. */
export const FEED_PAGES = {
  '/administration/provider-mappings': {
    person: ADMIN,
    views: {
      'provider-mappings': { url: '/administration/provider-mappings', whole: text('HomeNet nightly') },
    },
    loads: [
      {
        url: '/administration/provider-mappings',
        endpoint: providerMappings.list,
        what: 'the list of provider mappings',
        loading: 'Loading provider mappings',
        more: {
          empty: { answer: rows(0, 0), says: ['No provider mappings yet', 'Add mapping'] },
          'empty when filtered': {
            url: '/administration/provider-mappings?search=zebra',
            answer: rows(0, 5),
            says: ['No provider mappings match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
    ],
  },
  '/administration/provider-mappings/$id': {
    person: ADMIN,
    views: {
      'provider-mapping': { url: MAPPING, whole: (page) => see(field(page, 'Name')) },
      'provider-mapping-new': {
        url: '/administration/provider-mappings/new',
        whole: (page) => see(field(page, 'Name')),
      },
    },
    loads: [
      {
        url: MAPPING,
        endpoint: providerMappings.get,
        what: 'this provider mapping',
        loading: 'Loading provider mapping',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
