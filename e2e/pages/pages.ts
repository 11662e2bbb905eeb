import type { Page } from 'playwright-core'
import { customers } from '#contract/customers/customers/customers.ts'
import { customerDetails } from '#contract/customers/details/details.ts'
import { LOT_LIST, lots } from '#contract/customers/lots/lots.ts'
import { auth } from '#contract/identity/auth.ts'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { SHORT_URL_LIST, shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { ASSESSMENT_PAGES } from '#e2e/pages/assessments/assessments.ts'
import { TARGET_PAGES } from '#e2e/pages/assessments/target.ts'
import { PARTICIPANT_PAGES } from '#e2e/pages/participants/participants.ts'
import { EMISSION_FACTOR_PAGES } from '#e2e/pages/carbon/emission-factors.ts'
import { QUESTIONNAIRE_PAGES } from '#e2e/pages/questionnaires/questionnaires.ts'
import { SECOND_FACTOR_PAGES } from '#e2e/pages/identity/second-factor.ts'
import { IDENTITY_PAGES } from '#e2e/pages/identity/identity.ts'
import { INVENTORY_PAGES } from '#e2e/pages/carbon/inventories.ts'
import { MEDIA_PAGES } from '#e2e/pages/files/media.ts'
import { CHANNEL_PAGES } from '#e2e/pages/channels/channels.ts'
import { FEED_PAGES } from '#e2e/pages/feeds/provider-mappings.ts'
import { FEED_RUN_PAGES } from '#e2e/pages/feeds/feeds.ts'
import { LEAD_PAGES } from '#e2e/pages/leads/inbox.ts'
import { INBOUND_PAGES } from '#e2e/pages/leads/inbound.ts'
import { LEAD_ROUTING_PAGES } from '#e2e/pages/leads/routing.ts'
import { CAMPAIGNS } from '#e2e/pages/marketing/campaigns.ts'
import { PROMO_PAGES } from '#e2e/pages/marketing/promo-pages.ts'
import { MARKETING_PAGES } from '#e2e/pages/marketing/forms.ts'
import { HOME_PAGES } from '#e2e/pages/home/home.ts'
import { MAIL_PAGES } from '#e2e/pages/mail/mail.ts'
import { ORGANIZATION_PAGES } from '#e2e/pages/organizations/organizations.ts'
import { ACCOUNT_PAGES, SESSIONS, SIGN_INS } from '#e2e/pages/identity/account.ts'
import { rows, type PageCase, type PagePath } from '#e2e/harness/page-case.ts'
import { button, drawer, field, heading, lotLink, see } from '#e2e/harness/steps.ts'
import { VALUE_PAGES } from '#e2e/pages/feeds/values.ts'
import { VEHICLE_PAGES } from '#e2e/pages/vehicles/vehicles.ts'
import { WORK_PAGES } from '#e2e/pages/home/work.ts'
import { recordPage } from './record-page.ts'

const ADMIN = 'northgate.admin'
const STAFF = 'super'

const text = (words: string | RegExp) => (page: Page) => see(page.getByText(words).first())
const link = (name: string) => (page: Page) => see(page.getByRole('main').getByRole('link', { name }).first())
const dialog = (words: string | RegExp) => (page: Page) => see(drawer(page).getByText(words).first())

const SHORT_URLS = recordPage(ADMIN, {
  list: SHORT_URL_LIST,
  calls: shortUrls,
  param: 'shortUrl',
  // In the first rows, so that none is below the header.
  opened: '2017 Toyota Tacoma SR5',
  total: 40,
})

const LOTS = recordPage(ADMIN, {
  list: LOT_LIST,
  calls: lots,
  param: 'lot',
  opened: 'Northgate Ford',
  total: 5,
})

/** On a phone, where rows are blocks, there are no columns to choose. */
async function openColumns(page: Page): Promise<void> {
  await see(lotLink(page, 'Fulton overflow'))
  if (!(await button(page, 'Columns').isVisible())) return
  await button(page, 'Columns').click()
  await see(button(page, 'Move Code'))
}

async function openSaveView(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: /^View: All/ })
  await see(button(page, '+ Save view').or(menu))
  if (await menu.isVisible()) {
    await menu.click()
    await page.getByRole('menuitem', { name: 'Save view…' }).click()
  } else {
    await button(page, '+ Save view').click()
  }
  await see(page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name'))
}

const DEALER_USER = { list: '/administration/user-types', link: 'Dealer user' }
const SOFIA = { list: '/administration/users?search=sofia', link: 'Sofia Marino' }

/** Every page of the product. A route without an entry doesn't compile. */
export const PAGES: Readonly<Record<PagePath, PageCase>> = {
  '/administration/short-url': SHORT_URLS,
  '/': {
    person: ADMIN,
    views: { home: { url: '/', whole: (page) => see(heading(page, /^Good /)) } },
    loads: [],
  },
  '/auth/signin': {
    person: null,
    views: { 'sign-in': { url: '/auth/signin', whole: (page) => see(button(page, 'Sign in')) } },
    loads: [],
  },
  '/auth/set-up': {
    person: null,
    views: {
      'set-up': {
        url: '/auth/set-up?token=x',
        sent: ['"isSetUp":true', '"isSetUp":false'],
        whole: (page) => see(button(page, 'Set up')),
      },
      'set-up-used': {
        url: '/auth/set-up?token=used',
        whole: (page) => see(heading(page, /is already set up$/)),
      },
    },
    loads: [],
  },
  '/auth/forgot-password': {
    person: null,
    views: {
      'forgot-password': {
        url: '/auth/forgot-password',
        whole: (page) => see(heading(page, 'Forgot Password'), field(page, 'Email')),
      },
    },
    loads: [],
  },
  '/auth/reset-password': {
    person: null,
    views: {
      'reset-password-dead': {
        url: '/auth/reset-password#nothing-anybody-was-sent',
        whole: (page) => see(heading(page, 'This link no longer works')),
      },
      'reset-password': {
        url: '/auth/reset-password#a-word',
        given: [
          {
            endpoint: auth.checkReset,
            data: { userName: 'northgate.dealer', firstName: 'Luis', purpose: 'reset' },
          },
        ],
        whole: (page) => see(heading(page, 'Hello, Luis')),
      },
    },
    loads: [],
  },
  '/auth/organization': {
    person: ADMIN,
    views: {
      organization: {
        url: '/auth/organization',
        whole: (page) => see(page.getByRole('button', { name: 'Northgate Toyota' })),
      },
    },
    loads: [
      {
        url: '/auth/organization',
        endpoint: organizations.change,
        what: 'organizations',
        loading: 'Loading organizations',
        saysMessage: true,
        more: {
          empty: {
            answer: { status: 200, data: [] },
            says: ["You don't have access to any organization", 'Sign out'],
          },
        },
      },
    ],
  },
  ...HOME_PAGES,
  ...ASSESSMENT_PAGES,
  ...TARGET_PAGES,
  '/admin': { person: ADMIN, views: { admin: { url: '/admin', whole: link('User types') } }, loads: [] },
  '/customers': {
    person: STAFF,
    views: {
      customers: { url: '/customers', whole: link('Harbor Auto Collective') },
      'customers-suspended': {
        url: '/customers?filter=status == "suspended"',
        whole: link('Lakeside Motors'),
      },
      'customer-new': { url: '/customers?customer=new', whole: (page) => see(field(page, 'Domain')) },
      customer: {
        url: { list: '/customers?search=summit', link: 'Summit Auto Group' },
        whole: dialog(/Jonas Keller/),
      },
    },
    loads: [
      {
        url: '/customers',
        endpoint: customers.list,
        what: 'the list of customers',
        loading: 'Loading customers',
        more: {
          empty: { answer: rows(0, 0), says: ['No customers yet'] },
          'empty when filtered': {
            url: '/customers?search=zebra',
            answer: rows(0, 5),
            says: ['No customers match “zebra”', '5 customers in total.', 'Clear search'],
          },
        },
      },
      {
        url: '/customers?customer=1',
        endpoint: customers.get,
        what: 'this customer',
        loading: 'Loading the customer',
      },
    ],
  },
  '/customers/people': {
    person: STAFF,
    views: {
      people: { url: '/customers/people', whole: text('Find a user') },
      'people-found': { url: '/customers/people?search=ortega', whole: text('Luis Ortega') },
    },
    loads: [
      {
        url: '/customers/people?search=ortega',
        endpoint: customers.findUsers,
        what: 'the list of users',
        loading: 'Loading users',
        more: {
          'nothing found': {
            url: '/customers/people?search=zebra',
            answer: rows(0, 12),
            says: ['No users match “zebra”'],
          },
        },
      },
    ],
  },
  '/customers/lots': {
    ...LOTS,
    views: {
      ...LOTS.views,
      'lots-filtered': { url: '/customers/lots?filter=address == null', whole: text(/^1 of 5 lots/) },
      'lots-scrolled': {
        url: '/customers/lots?size=0',
        whole: (page) => see(lotLink(page, 'Fulton overflow')),
      },
      'lots-refused': {
        url: '/customers/lots?filter=adress == null',
        whole: text("This filter isn't valid"),
      },
      'lots-columns': { url: '/customers/lots', whole: openColumns },
      'lots-save-view': { url: '/customers/lots', whole: openSaveView },
      'lots-nothing-found': { url: '/customers/lots?search=zebra', whole: text('No lots match “zebra”') },
    },
    loads: [
      ...LOTS.loads,
      {
        url: '/customers/lots',
        endpoint: lots.list,
        what: 'the list of lots',
        loading: 'Loading lots',
        more: {
          'empty when filtered': {
            url: '/customers/lots?search=zebra&filter=address == null',
            answer: rows(0, 5),
            says: ['No lots match “zebra” and the filter', '5 lots in total.', 'Clear filters'],
          },
          'past its last page': {
            url: '/customers/lots?page=9',
            answer: rows(0, 5),
            says: ['This page is empty', 'First page'],
          },
        },
      },
    ],
  },
  '/customers/details': {
    person: ADMIN,
    views: { details: { url: '/customers/details', whole: (page) => see(field(page, 'Legal name')) } },
    loads: [
      {
        url: '/customers/details',
        endpoint: customerDetails.get,
        what: 'the details',
        loading: 'Loading the details',
      },
    ],
  },
  ...WORK_PAGES,
  ...VEHICLE_PAGES,
  ...VALUE_PAGES,
  ...MEDIA_PAGES,
  ...FEED_PAGES,
  ...CHANNEL_PAGES,
  ...LEAD_PAGES,
  ...QUESTIONNAIRE_PAGES,
  ...LEAD_ROUTING_PAGES,
  ...INBOUND_PAGES,
  ...MARKETING_PAGES,
  ...CAMPAIGNS,
  ...PROMO_PAGES,
  ...PARTICIPANT_PAGES,
  ...FEED_RUN_PAGES,
  ...SECOND_FACTOR_PAGES,
  ...MAIL_PAGES,
  ...ORGANIZATION_PAGES,
  ...EMISSION_FACTOR_PAGES,
  ...INVENTORY_PAGES,
  ...ACCOUNT_PAGES,
  ...IDENTITY_PAGES,
  '/administration/users': {
    person: ADMIN,
    views: {
      users: { url: '/administration/users', whole: link('Sofia Marino') },
      'users-invited': { url: '/administration/users?filter=state == "invited"', whole: link('Mara Okafor') },
    },
    loads: [
      {
        url: '/administration/users',
        endpoint: users.list,
        what: 'the list of users',
        loading: 'Loading users',
        more: {
          empty: { answer: rows(0, 0), says: ['No users yet', 'Add user'] },
          'empty when filtered': {
            url: '/administration/users?search=zebra',
            answer: rows(0, 5),
            says: ['No users match “zebra”', '5 users in total.', 'Clear search'],
          },
        },
      },
    ],
  },
  '/administration/users/$id': {
    person: ADMIN,
    views: {
      user: { url: SOFIA, whole: (page) => see(field(page, 'First name')) },
      'user-new': { url: '/administration/users/new', whole: (page) => see(field(page, 'First name')) },
      'user-permissions': { url: { ...SOFIA, add: '?tab=permissions' }, whole: text('Pricing rules') },
      'user-sessions': {
        url: { ...SOFIA, add: '?tab=sessions' },
        given: [
          { endpoint: sessions.ofPerson, data: SESSIONS },
          { endpoint: sessions.history, data: SIGN_INS },
        ],
        whole: text('Safari on iPhone'),
      },
      'user-activity': { url: { ...SOFIA, add: '?tab=activity' }, whole: text('Activity') },
    },
    loads: [
      {
        url: '/administration/users/1',
        endpoint: users.get,
        what: 'this user',
        loading: 'Loading the user',
      },
      {
        url: { ...SOFIA, add: '?tab=permissions' },
        endpoint: users.permissions,
        what: 'these permissions',
        loading: 'Loading permissions',
      },
      {
        url: { ...SOFIA, add: '?tab=sessions' },
        endpoint: sessions.ofPerson,
        what: 'these sessions',
        loading: 'Loading sessions',
        more: { empty: { answer: { status: 200, data: [] }, says: ['Not signed in anywhere'] } },
      },
      {
        url: { ...SOFIA, add: '?tab=activity' },
        endpoint: users.activity,
        what: 'the activity',
        loading: 'Loading the activity',
        more: { empty: { answer: { status: 200, data: [] }, says: ['No activity yet'] } },
      },
    ],
  },
  '/administration/user-types': {
    person: ADMIN,
    views: {
      'user-types': { url: '/administration/user-types', whole: link('Dealer user') },
      'user-type': { url: DEALER_USER, whole: text('Pricing rules') },
      'user-type-new': {
        url: '/administration/user-types?drawer=new',
        whole: (page) => see(drawer(page).getByLabel('Name')),
      },
    },
    loads: [
      {
        url: '/administration/user-types',
        endpoint: userTypes.list,
        what: 'the list of user types',
        loading: 'Loading user types',
        more: {
          empty: { answer: rows(0, 0), says: ['No user types yet', 'Add user type'] },
          'empty when filtered': {
            url: '/administration/user-types?search=zebra',
            answer: rows(0, 5),
            says: ['No user types match “zebra”', '5 user types in total.', 'Clear search'],
          },
        },
      },
      {
        url: DEALER_USER,
        endpoint: userTypes.forParent,
        what: 'the user types',
        loading: 'Loading user types',
      },
      {
        url: DEALER_USER,
        endpoint: userTypes.permissions,
        what: 'this user type',
        loading: 'Loading permissions',
      },
    ],
  },
  '/$': {
    person: ADMIN,
    views: { 'not-found': { url: '/nowhere', whole: (page) => see(heading(page, 'Page not found')) } },
    loads: [],
  },
}

/** Every view with its page, in table order. */
export const VIEWS = Object.values(PAGES).flatMap(({ person, views }) =>
  Object.entries(views).map(([name, view]) => ({ name, person, ...view })),
)
