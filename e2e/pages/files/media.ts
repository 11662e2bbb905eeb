import type { Page } from 'playwright-core'
import { files } from '#contract/files/files.ts'
import { sameFiles } from '#contract/files/same-files.ts'
import type { PageCase, PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, see } from '#e2e/harness/steps.ts'

const ADMIN = 'northgate.admin'
const inMain = (name: string) => (page: Page) =>
  see(page.getByRole('main').getByRole('link', { name, exact: true }).first())

/** The file manager. */
export const MEDIA_PAGES = {
  '/administration/media': {
    person: ADMIN,
    views: {
      media: { url: '/administration/media', whole: inMain('Campaigns') },
      'media-folder': {
        url: '/administration/media?folder=Campaigns%2FSummer%20sale',
        whole: (page) => see(page.getByText('Hero wide.png').first()),
      },
      'media-picture': {
        url: '/administration/media?folder=Vehicles&picture=F%20150%20front.png',
        whole: (page) => see(page.getByRole('img', { name: 'F 150 front.png' })),
      },
      'media-duplicates': {
        url: '/administration/media?show=duplicates',
        whole: (page) => see(page.getByText(/^No duplicates$|^Files with the same content/)),
      },
      'media-new-folder': {
        url: '/administration/media',
        whole: async (page) => {
          await button(page, 'Add folder').click()
          await see(drawer(page).getByLabel('Name'))
        },
      },
    },
    loads: [
      {
        url: '/administration/media',
        endpoint: files.getChildren,
        what: 'this folder',
        loading: 'Loading the folder',
        more: {
          empty: {
            answer: { status: 200, data: { leafs: [], nodes: [] } },
            says: ['No media yet', /^Drag files here/],
          },
          'empty when filtered': {
            url: '/administration/media?search=zebra',
            answer: { status: 200, data: { leafs: [], nodes: [{ path: 'Logos', name: 'Logos' }] } },
            says: ['No results for “zebra”', 'Clear search'],
          },
        },
      },
      {
        url: '/administration/media?show=duplicates',
        endpoint: sameFiles.list,
        what: 'the duplicates',
        loading: 'Loading the duplicates',
        more: {
          empty: {
            answer: { status: 200, data: { groups: [], next: null } },
            says: ['No duplicates', /^No two files have the same content/],
          },
        },
      },
    ],
  },
} as const satisfies Partial<Record<PagePath, PageCase>>
