import type { Page } from 'playwright-core'
import { unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, field, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const MAPPINGS = '/administration/data-mappings'
const UNMAPPED = '/administration/unmapped-values'
const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

/** The data mapping pages. */
export const VALUE_PAGES = {
  '/administration/data-mappings': {
    person: ADMIN,
    views: {
      'data-mappings': { url: MAPPINGS, whole: text('Quad Cab 4x4') },
      'data-mapping': {
        url: { list: MAPPINGS, link: 'Quad Cab 4x4' },
        whole: (page) => see(field(page, 'Feed value')),
      },
      'data-mapping-new': {
        url: `${MAPPINGS}?value=new`,
        whole: (page) => see(field(page, 'Feed value')),
      },
      'data-mappings-built-in': { url: `${MAPPINGS}?panel=built-in`, whole: dialog('Sport Utility') },
      'data-mappings-apply': { url: `${MAPPINGS}?panel=apply`, whole: dialog('10-SPD SelectShift') },
    },
    loads: [
      {
        url: MAPPINGS,
        endpoint: valueMappings.list,
        what: 'the list of data mappings',
        loading: 'Loading data mappings',
        more: {
          empty: { answer: rows(0, 0), says: ['No data mappings yet', 'Add mapping'] },
          'empty when filtered': {
            url: `${MAPPINGS}?search=zebra`,
            answer: rows(0, 5),
            says: ['No data mappings match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: `${MAPPINGS}?value=1`,
        endpoint: valueMappings.get,
        what: 'this data mapping',
        loading: 'Loading the data mapping',
      },
      {
        url: `${MAPPINGS}?panel=apply`,
        endpoint: valueMappings.preview,
        what: 'the preview',
        loading: 'Checking the vehicles',
        more: {
          'nothing to change': {
            answer: { status: 200, data: { changes: [], vehicles: 0, samples: [] } },
            says: ['Nothing to change'],
          },
        },
      },
    ],
  },
  '/administration/unmapped-values': {
    person: ADMIN,
    views: {
      'unmapped-values': { url: UNMAPPED, whole: text('Ford Truck') },
      'unmapped-value': {
        url: { list: UNMAPPED, link: 'SelectShift' },
        whole: dialog('Vehicles with this value'),
      },
    },
    loads: [
      {
        url: UNMAPPED,
        endpoint: unmappedValues.list,
        what: 'the list of unmapped values',
        loading: 'Loading unmapped values',
        more: {
          empty: { answer: rows(0, 0), says: ['No unmapped values', 'Data mappings'] },
          'empty when filtered': {
            url: `${UNMAPPED}?search=zebra`,
            answer: rows(0, 5),
            says: ['No unmapped values match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: `${UNMAPPED}?value=1`,
        endpoint: unmappedValues.get,
        what: 'this value',
        loading: 'Loading the value',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
