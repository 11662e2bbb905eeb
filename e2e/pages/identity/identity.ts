import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, see } from '#e2e/harness/steps.ts'

const PAGE = '/administration/domain-white-label'

/** Customer domains with branding, and the return page of Google sign-in. */
export const IDENTITY_PAGES = {
  '/auth/google': {
    person: null,
    views: {
      'google-not-asked': {
        url: '/auth/google#id_token=x&state=y',
        whole: (page) => see(page.getByText(/^This Google response doesn't match/)),
      },
    },
    loads: [],
  },
  '/administration/domain-white-label': {
    person: 'northgate.admin',
    views: {
      'white-labels': {
        url: PAGE,
        whole: (page) => see(page.getByRole('link', { name: 'office.northgate.example' })),
      },
      'white-label': {
        url: { list: PAGE, link: 'office.northgate.example' },
        whole: (page) => see(drawer(page).getByLabel('TXT value'), drawer(page).getByRole('figure').first()),
      },
      'white-label-picker': {
        url: `${PAGE}?domain=new`,
        whole: async (page) => {
          await button(page, 'Choose from media: logo').click()
          const picker = page.getByRole('dialog', { name: 'Choose a picture' })
          await picker.getByLabel(/^Showroom.png/).check()
          await see(picker.getByRole('button', { name: 'Logos' }), picker.getByText('Showroom.png').last())
        },
      },
      'white-label-new': { url: `${PAGE}?domain=new`, whole: (page) => see(field(page, 'Title')) },
    },
    loads: [
      {
        url: PAGE,
        endpoint: whiteLabels.list,
        what: 'the list of domains',
        loading: 'Loading domains',
        more: {
          empty: { answer: rows(0, 0), says: ['No domains yet', 'Add domain'] },
          'empty when filtered': {
            url: `${PAGE}?search=zebra`,
            answer: rows(0, 5),
            says: ['No domains match \u201czebra\u201d', 'Clear search'],
          },
        },
      },
      {
        url: `${PAGE}?domain=1`,
        endpoint: whiteLabels.get,
        what: 'this domain',
        loading: 'Loading the domain',
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
