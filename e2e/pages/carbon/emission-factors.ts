import type { Page } from 'playwright-core'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { drawer, see } from '#e2e/harness/steps.ts'

const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

/** Natural gas burned in the US: kg of each gas, with three GWP sets. */
const GAS = {
  list: '/carbon/factors?search=natural%20gas%20mmbtu%20stationary&sort=-name',
  link: 'Natural Gas',
}
const UK_GRID = {
  list: '/carbon/factors?search=electricity%20generated%20uk%20grid',
  link: 'Electricity generated, UK',
}

const READ = {
  form: 'long',
  details: {
    publisher: 'Environment agency',
    title: 'Factors of the grid',
    edition: '2026',
    year: 2026,
    region: 'CA',
    gwpSet: null,
    license: 'Open',
  },
  lines: 41,
  factors: 13,
  known: 9,
  refusedLines: 2,
  refused: [
    { line: 12, name: 'Peat', sentence: 'Unknown unit \u201chogshead\u201d.' },
    { line: 30, name: 'Peat', sentence: 'The scope is missing.' },
  ],
  sample: [
    {
      name: 'Grid electricity, Ontario',
      category: 'Purchased electricity',
      activity: 'electricity/grid',
      scopes: ['2'],
      region: 'CA-ON',
      unit: 'kWh',
      gases: [{ gas: 'CO2e', isBiogenic: false, basis: 'co2e', kg: '0.03' }],
    },
  ],
}

async function chooseEdition(page: Page): Promise<void> {
  const file = { name: 'factors.csv', mimeType: 'text/csv', buffer: Buffer.from('gas,unit,name,kg') }
  await drawer(page).locator('input[type=file]').setInputFiles(file)
  await see(drawer(page).getByRole('button', { name: 'Import 13 factors' }))
}

/** Emission factors, and the search that explains which one is chosen. */
export const EMISSION_FACTOR_PAGES = {
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
      'factor-new-for': {
        url: '/carbon/factors?factor=new&region=US-CAMX&activity=waste/closed-loop/mineral-oil&unit=short%20ton&scope=3.5',
        whole: (page) => see(drawer(page).getByLabel('Source')),
      },
      // A custom factor that is in use: what an edit would recalculate.
      'factor-usage': {
        url: {
          list: '/carbon/factors?search=Valley%20Water',
          link: /^Valley Water, supply/,
          add: '&drawer=edit',
        },
        whole: (page) =>
          see(
            drawer(page)
              .getByText(/^Carbon 2025/)
              .first(),
          ),
      },
      'factor-find': {
        url: '/carbon/factors?drawer=find',
        whole: (page) => see(drawer(page).getByLabel('Activity or keywords')),
      },
      'factor-import': {
        url: '/carbon/factors?drawer=import',
        whole: (page) => see(drawer(page).getByText("Drop the publisher's file here.")),
      },
      'factor-import-read': {
        url: '/carbon/factors?drawer=import',
        given: [{ endpoint: factorEditions.read, data: READ }],
        whole: chooseEdition,
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
            says: ['No emission factors match \u201czebra\u201d', 'Clear search'],
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
