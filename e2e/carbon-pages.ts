import type { Page } from 'playwright-core'
import { factors } from '#contract/carbon/factors.ts'
import { rows, type PageCase, type PagePath } from './page-case.ts'
import { drawer, see } from './steps.ts'

const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

/** The gas of US boilers: kg of gas, weighed by three reports. */
const GAS = {
  list: '/carbon/factors?search=natural%20gas%20mmbtu%20stationary&sort=-name',
  link: 'Natural Gas',
}
const UK_GRID = {
  list: '/carbon/factors?search=electricity%20generated%20uk%20grid',
  link: 'Electricity generated, UK',
}

/** Factors, and why one of them is chosen. */
export const CARBON_PAGES = {
  '/carbon/factors': {
    person: 'northgate.admin',
    views: {
      factors: { url: '/carbon/factors', whole: text('Agricultural Byproducts') },
      factor: { url: GAS, whole: dialog('1 mmBtu x 53.06 kg CO2 = 53.06 kg CO2e') },
      'factor-published': { url: UK_GRID, whole: dialog(/not added again/) },
      'factor-new': {
        url: '/carbon/factors?factor=new&region=CA',
        whole: (page) => see(drawer(page).getByLabel('Source')),
      },
      'factor-find': {
        url: '/carbon/factors?drawer=find',
        whole: (page) => see(drawer(page).getByLabel('Activity or words')),
      },
    },
    loads: [
      {
        url: '/carbon/factors',
        endpoint: factors.list,
        what: 'the list of emission factors',
        loading: 'Loading emission factors',
        more: {
          empty: { answer: rows(0, 0), says: ['No emission factors'] },
          'empty when filtered': {
            url: '/carbon/factors?search=zebra',
            answer: rows(0, 5),
            says: ['No emission factor matches \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: '/carbon/factors?factor=1',
        endpoint: factors.get,
        what: 'this factor',
        loading: 'Loading the factor',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
