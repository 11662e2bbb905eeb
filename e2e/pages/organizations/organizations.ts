import type { Page } from 'playwright-core'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, field, heading, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'

const FORD = { list: '/organizations', link: 'Northgate Ford' }
const NONE = { status: 200, data: [] }
const main = (words: string | RegExp) => (page: Page) => see(page.getByRole('main').getByText(words).first())

/** The organization list, one organization, and its two wizard steps. Without an ID, a step is for the current one. */
export const ORGANIZATION_PAGES = {
  '/organizations': {
    person: ADMIN,
    views: {
      organizations: { url: '/organizations', whole: main('Northgate Toyota') },
    },
    loads: [
      {
        url: '/organizations',
        endpoint: organizations.list,
        what: 'the list of organizations',
        loading: 'Loading organizations',
        more: {
          empty: { answer: rows(0, 0), says: ['No organizations yet', 'Add organization'] },
          'empty when filtered': {
            url: '/organizations?search=zebra',
            answer: rows(0, 2),
            says: ['No organizations match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
    ],
  },
  '/organizations/$id': {
    person: ADMIN,
    views: {
      'one-organization': {
        url: FORD,
        whole: async (page) => {
          await see(heading(page, 'Northgate Ford'), page.getByRole('link', { name: 'Body and paint' }))
          await main('Luis Ortega')(page)
        },
      },
      'facility-new': {
        url: { ...FORD, add: '?facility=new' },
        whole: (page) => see(field(page, 'Code'), page.getByRole('combobox', { name: 'Grid region' })),
      },
    },
    loads: [
      {
        url: FORD,
        endpoint: organizationProfiles.get,
        what: 'this organization',
        loading: 'Loading the organization',
      },
      {
        url: FORD,
        endpoint: facilities.tree,
        what: 'the facilities',
        loading: 'Loading the facilities',
        more: { empty: { answer: NONE, says: ['No facilities yet', 'Add facility'] } },
      },
      {
        url: { ...FORD, add: '?facility=1' },
        endpoint: facilities.get,
        what: 'this facility',
        loading: 'Loading the facility',
      },
    ],
  },
  '/organizations/organization': {
    person: ADMIN,
    views: {
      'organization-step': {
        url: '/organizations/organization',
        whole: (page) =>
          see(field(page, 'Legal name'), page.getByRole('link', { name: 'Continue to facilities' })),
      },
      'organization-new': {
        url: '/organizations/organization?organization=new',
        whole: (page) => see(button(page, 'Add organization')),
      },
    },
    loads: [
      {
        url: '/organizations/organization',
        endpoint: organizationProfiles.get,
        what: 'this organization',
        loading: 'Loading the organization',
      },
    ],
  },
  '/organizations/facility': {
    person: ADMIN,
    views: {
      'facility-step': {
        url: '/organizations/facility',
        whole: (page) => see(button(page, 'Add facility')),
      },
      'facility-locked': {
        url: '/organizations/facility?organization=new',
        whole: (page) => see(page.getByRole('heading', { name: 'This step is locked' })),
      },
    },
    loads: [
      {
        url: '/organizations/facility',
        endpoint: organizationProfiles.get,
        what: 'this organization',
        loading: 'Loading the organization',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
