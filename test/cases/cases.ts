import { randomUUID } from 'node:crypto'
import { listEndpoints, type Contract, type Endpoint, type Sent } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { DEMO_PASSWORD } from '../../demo/world.ts'
import { carbonCases } from '#test/cases/carbon/factors.ts'
import { channelCases } from '#test/cases/channels/channels.ts'
import { customerWide, foreignTo, list } from './foreign.ts'
import { factorCases } from '#test/cases/identity/second-factor.ts'
import { identityCases } from '#test/cases/identity/branding.ts'
import { feedCases } from '#test/cases/feeds/provider-mappings.ts'
import { importCases } from '#test/cases/feeds/feeds.ts'
import { inventoryCases } from '#test/cases/carbon/inventories.ts'
import { ledgerCases } from '#test/cases/carbon/activity.ts'
import { mailCases } from '#test/cases/mail/mail.ts'
import { organizationCases } from '#test/cases/organizations/organizations.ts'
import { userCases } from '#test/cases/identity/users.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'
import { setUpToken } from '#test/factories/identity/sessions.ts'
import { valueCases } from '#test/cases/feeds/values.ts'
import { vehicleCases } from '#test/cases/vehicles/vehicles.ts'
import { assessmentCases } from './assessments/assessments.ts'
import { participantCases } from './participants/participants.ts'
import { inboundCases } from './leads/inbound.ts'
import { leadCases } from './leads/leads.ts'
import { leadMoveCases } from '#test/cases/leads/lead-moves.ts'
import { leadRoutingCases } from './leads/lead-routing.ts'
import { recordCases } from './record-cases.ts'
import { questionnaireCases } from './questionnaires/questionnaires.ts'
import { formCases } from './marketing/forms.ts'
import { campaignCases, campaignRecipientCases, importedListCases } from './marketing/campaigns.ts'
import { pageCases } from './marketing/promo-pages.ts'
import { shortUrlCases } from './marketing/short-urls.ts'

/** The owner of a foreign row, from the point of view of a user in one organization of one customer. */
export type Foreign = 'sister organization' | 'other customer'

/**
 * An endpoint's test case for the contract-wide matrices. `input` creates a valid input for an organization, with new rows
 * if the endpoint writes. `foreign` has the error status for the input of a foreign organization: 'takes no ids' if the
 * input cannot refer to rows, 'reached' if rows of a sister organization are visible by design.
 */
export type Case<E extends Endpoint> = {
  input: (place: TestOrganization) => Sent<E> | Promise<Sent<E>>
  /** The status with permission: 200 unless the demo data does not allow that. */
  allowedStatus?: number
  /** Users who reach only their organization get 403, whatever their permissions. */
  needsCustomerReach?: true
  foreign:
    | 'takes no ids'
    | ({ input?: (there: TestOrganization) => Sent<E> | Promise<Sent<E>> } & Record<
        Foreign,
        number | 'reached'
      >)
}

/** A new endpoint without a case does not compile. */
export type Cases<C extends Contract> = { [D in keyof C]: { [K in keyof C[D]]: Case<C[D][K]> } }

const lotCases = recordCases(
  ({ addLot }) => addLot(),
  () => ({ name: fresh('Yard'), code: fresh('Y') }),
)
const takesNothing = { input: () => ({}), foreign: 'takes no ids' } as const
const ofJobs = { input: () => ({ list: 'jobs' }), foreign: 'takes no ids' } as const
/** Jobs and views belong to one user: their own tests cover existing ones. */
const missingRow = { input: () => ({ id: '999999999' }), allowedStatus: 404 } as const
const ofJob = { input: async ({ addJob }: TestOrganization) => ({ id: await addJob() }) }
const ofView = { input: async ({ addView }: TestOrganization) => ({ id: await addView() }) }
const exported = {
  input: () => ({ list: 'jobs', format: 'csv' as const, columns: ['title'] }),
  // The list of jobs has no export permission.
  allowedStatus: 403,
  foreign: {
    input: async ({ addLot }: TestOrganization) => ({
      list: 'lots',
      format: 'csv' as const,
      columns: ['name'],
      ids: [await addLot()],
    }),
    ...foreignTo(404),
  },
} as const

/** Visible in the same customer, but in another branch of the user type tree. */
const ofAnotherBranch = { 'sister organization': 403, 'other customer': 404 } as const

async function newUser({
  organizationId,
  userType,
}: TestOrganization): Promise<Sent<typeof contract.users.add>> {
  const userName = fresh('new.person').replace(' ', '.')
  return {
    user: {
      userName,
      firstName: 'New',
      lastName: 'Person',
      email: `${userName}@people.example`,
      userTypeId: await userType('Participant'),
      organizationIds: [organizationId],
    },
  }
}

function newCustomer(): Sent<typeof contract.customers.add> {
  const userName = fresh('founder').replace(' ', '.')
  return {
    name: fresh('Customer'),
    organizationName: fresh('Rooftop'),
    timeZone: 'UTC',
    administrator: { firstName: 'Fay', lastName: 'Under', email: `${userName}@people.example`, userName },
  }
}

export const cases: Cases<typeof contract> = {
  auth: {
    signIn: {
      input: () => ({ username: 'northgate.dealer', password: DEMO_PASSWORD }),
      foreign: 'takes no ids',
    },
    refreshToken: { input: async ({ token }) => ({ token: await token() }), foreign: 'takes no ids' },
    authFunc: takesNothing,
    menu: takesNothing,
    changeOrganization: { input: ({ organizationId }) => ({ organizationId }), foreign: foreignTo(404) },
    keepAlive: { input: () => ({ idleMs: 0 }), foreign: 'takes no ids' },
    signOut: takesNothing,
    me: takesNothing,
    whiteLabel: takesNothing,
    forgotPassword: { input: () => ({ userName: 'nobody.of.this.name' }), foreign: 'takes no ids' },
    checkReset: {
      input: async ({ addPasswordLink }) => ({ resetValue: await addPasswordLink() }),
      foreign: 'takes no ids',
    },
    resetPassword: {
      input: async ({ addPasswordLink }) => ({
        resetValue: await addPasswordLink(),
        password: DEMO_PASSWORD,
      }),
      foreign: 'takes no ids',
    },
    changePassword: {
      // The right password would end the user's other sessions, which later cases need.
      input: () => ({ oldPassword: 'not the right one', newPassword: DEMO_PASSWORD }),
      allowedStatus: 400,
      foreign: 'takes no ids',
    },
    saveAppearance: {
      input: () => ({
        scheme: 'dark',
        layout: 'horizontal',
        headerColor: 'brand',
        direction: 'rtl',
        isMenuFixed: false,
        isHeaderFixed: true,
        isBoxed: true,
        isMenuCollapsed: false,
      }),
      foreign: 'takes no ids',
    },
  },
  setUp: {
    begin: {
      input: () => ({
        token: setUpToken(),
        company: 'Again Motors',
        firstName: 'Again',
        lastName: 'Founder',
        userName: 'again.founder',
        email: 'again@founder.example',
        password: 'FounderOf2Things!',
      }),
      // The demo data already has customers.
      allowedStatus: 409,
      foreign: 'takes no ids',
    },
  },
  users: {
    list,
    get: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    permissions: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    activity: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    uses: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    add: {
      input: newUser,
      // Neither the user type nor the organization can be chosen.
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ createUser }) => ({ user: { id: await createUser(), jobTitle: fresh('Title') } }),
      foreign: foreignTo(404),
    },
    remove: { input: async ({ createUser }) => ({ id: await createUser() }), foreign: foreignTo(404) },
    sendPasswordMail: {
      input: async ({ createUser }) => ({ id: await createUser() }),
      foreign: foreignTo(404),
    },
    change: {
      input: async ({ createUser }) => ({
        selection: { ids: [await createUser()] },
        change: { isActive: false },
      }),
      foreign: foreignTo(404),
    },
  },
  userTypes: {
    list,
    forParent: takesNothing,
    get: { input: async ({ addUserType }) => ({ id: await addUserType() }), foreign: customerWide },
    permissions: { input: async ({ addUserType }) => ({ id: await addUserType() }), foreign: customerWide },
    add: {
      input: () => ({ userType: { name: fresh('Type') } }),
      foreign: {
        input: async ({ userType }) => ({
          userType: { name: fresh('Type'), parentId: await userType('Customer administrator') },
        }),
        ...foreignTo(400),
      },
    },
    update: {
      input: async ({ addUserType }) => ({ userType: { id: await addUserType(), name: fresh('Type') } }),
      foreign: ofAnotherBranch,
    },
    remove: { input: async ({ addUserType }) => ({ id: await addUserType() }), foreign: ofAnotherBranch },
  },
  ...factorCases,
  ...mailCases,
  ...organizationCases,
  ...carbonCases,
  ...ledgerCases,
  ...inventoryCases,
  ...feedCases,
  ...importCases,
  ...channelCases,
  ...valueCases,
  ...userCases,
  ...identityCases,
  // Paths have no IDs, and files belong to the whole customer: files.test.ts covers those of other customers.
  files: {
    getChildren: { input: () => ({ container: 'media' }), foreign: 'takes no ids' },
    createDirectory: {
      input: () => ({ container: 'media', dirName: fresh('Folder') }),
      foreign: 'takes no ids',
    },
    uses: { input: () => ({ container: 'media', path: 'nowhere.png' }), foreign: 'takes no ids' },
    rename: {
      input: () => ({ container: 'media', path: 'nowhere.png', newName: 'somewhere.png' }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
    delete: {
      input: () => ({ container: 'media', toDelete: ['nowhere.png'] }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
    download: {
      input: () => ({ container: 'media', path: 'nowhere.png' }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
    upload: { input: () => ({ container: 'media', overwrite: 'false' }), foreign: 'takes no ids' },
  },
  sameFiles: {
    list: { input: () => ({}), foreign: 'takes no ids' },
    remove: { input: () => ({ paths: ['nowhere.png'] }), foreign: 'takes no ids' },
    // same-files.test.ts covers the deletions of other customers.
    restore: {
      input: () => ({ undo: `1794960000000-${randomUUID()}` }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
  },
  mediaMoves: {
    move: { input: () => ({ paths: ['nowhere.png'] }), foreign: 'takes no ids' },
    // media-moves.test.ts covers the moves of other customers.
    undo: { input: () => ({ undo: randomUUID() }), allowedStatus: 404, foreign: 'takes no ids' },
  },
  mediaTexts: {
    update: {
      input: () => ({ path: 'nowhere.png', alt: 'Nothing' }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
  },
  // Uploads belong to a user: large-uploads.test.ts covers those of others.
  largeUploads: {
    list: { input: () => ({ container: 'media' }), foreign: 'takes no ids' },
    begin: {
      input: () => ({ container: 'media', name: fresh('Large'), bytes: 10, fileTime: 0 }),
      foreign: 'takes no ids',
    },
    part: {
      input: () => ({ id: randomUUID(), offset: '0' }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
    complete: { input: () => ({ id: randomUUID() }), allowedStatus: 404, foreign: 'takes no ids' },
    cancel: { input: () => ({ id: randomUUID() }), allowedStatus: 404, foreign: 'takes no ids' },
  },
  organizations: {
    all: takesNothing,
    list,
    listAll: takesNothing,
    change: takesNothing,
    get: {
      input: ({ organizationId }) => ({ id: organizationId }),
      // Users can see the names of all organizations in their customer.
      foreign: { 'sister organization': 'reached', 'other customer': 404 },
    },
    save: {
      input: () => ({ name: fresh('Rooftop') }),
      foreign: {
        input: ({ organizationId }) => ({ id: organizationId, name: fresh('Renamed') }),
        // Only users who reach the whole customer manage organizations. They get 404 (tenancy.test.ts).
        ...foreignTo(403),
      },
    },
    remove: {
      input: async ({ addOrganization }) => ({ id: await addOrganization() }),
      foreign: foreignTo(403),
    },
    archive: {
      input: async ({ addOrganization }) => ({ id: await addOrganization() }),
      foreign: foreignTo(403),
    },
    restore: {
      input: async ({ addOrganization }) => ({ id: await addOrganization() }),
      foreign: foreignTo(403),
    },
  },
  // For platform staff only: other users are rejected before any ID is checked.
  customers: {
    list,
    get: { input: ({ customerId }) => ({ id: customerId }), foreign: foreignTo(403) },
    add: { input: newCustomer, foreign: 'takes no ids' },
    setStatus: {
      input: async ({ addCustomer }) => ({ id: await addCustomer(), status: 'suspended', reason: 'Unpaid' }),
      foreign: foreignTo(403),
    },
    invite: { input: ({ customerId }) => ({ id: customerId }), foreign: foreignTo(403) },
    revealInvitation: {
      input: ({ customerId }) => ({ id: customerId }),
      // Northgate's administrator has a password, so nobody else may see the email. customers.test.ts covers the others.
      allowedStatus: 403,
      foreign: foreignTo(403),
    },
    findUsers: { input: () => ({ search: 'a' }), foreign: 'takes no ids' },
  },
  customerDetails: {
    get: takesNothing,
    update: { input: () => ({ phone: fresh('+1 916') }), foreign: 'takes no ids' },
    activity: takesNothing,
  },
  lots: {
    ...lotCases,
    add: {
      ...lotCases.add,
      foreign: {
        input: ({ organizationId }) => ({ name: fresh('Yard'), code: fresh('Y'), organizationId }),
        ...foreignTo(400),
      },
    },
    change: {
      input: async ({ addLot }) => ({ selection: { ids: [await addLot()] }, change: { isPublic: false } }),
      foreign: foreignTo(404),
    },
  },
  ...vehicleCases,
  ...leadCases,
  ...leadMoveCases,
  ...inboundCases,
  ...leadRoutingCases,
  ...formCases,
  campaigns: campaignCases,
  campaignRecipients: campaignRecipientCases,
  importedLists: importedListCases,
  ...pageCases,
  shortUrls: shortUrlCases,
  ...questionnaireCases,
  ...assessmentCases,
  ...participantCases,
  vins: { decode: { input: () => ({ vin: '1HGCM82633A004352' }), foreign: 'takes no ids' } },
  facets: { list: ofJobs },
  views: {
    list: ofJobs,
    counts: ofJobs,
    add: {
      input: () => ({ list: 'jobs', name: fresh('View'), state: { columns: ['title'] } }),
      // User types belong to the whole customer. views.test.ts covers those of another customer.
      foreign: 'takes no ids',
    },
    update: { ...missingRow, foreign: { ...ofView, ...foreignTo(404) } },
    remove: { ...missingRow, foreign: { ...ofView, ...foreignTo(404) } },
    setDefault: {
      input: () => ({ list: 'jobs', id: null }),
      foreign: { input: async ({ addView }) => ({ list: 'jobs', id: await addView() }), ...foreignTo(404) },
    },
  },
  jobs: {
    list: { input: () => ({ search: 'a', sort: '-createdAt' }), foreign: 'takes no ids' },
    get: { ...missingRow, foreign: { ...ofJob, ...foreignTo(404) } },
    failures: { ...missingRow, foreign: { ...ofJob, ...foreignTo(404) } },
    cancel: { ...missingRow, foreign: { ...ofJob, ...foreignTo(404) } },
    undo: { ...missingRow, foreign: { ...ofJob, ...foreignTo(404) } },
    download: { ...missingRow, foreign: { ...ofJob, ...foreignTo(404) } },
  },
  reports: {
    list: takesNothing,
    make: {
      input: async ({ addAssessment }) => ({
        name: 'assessment-matrix',
        format: 'xlsx',
        id: (await addAssessment()).id,
      }),
      foreign: foreignTo(404),
    },
    exportList: exported,
    startExport: exported,
  },
  search: { find: { input: () => ({ text: 'nor' }), foreign: 'takes no ids' } },
  dashboard: { get: takesNothing, decisions: takesNothing, carbon: takesNothing, stock: takesNothing },
  health: { live: takesNothing, ready: takesNothing, alive: takesNothing, system: takesNothing },
  outgoing: {
    get: takesNothing,
    // Tests run in the real installation.
    begin: { input: () => ({ discards: [] }), allowedStatus: 409, foreign: 'takes no ids' },
  },
}

const loose: Record<string, Record<string, Case<Endpoint>>> = cases

/** Every endpoint with its name and case. */
export const everyCase = listEndpoints(contract).map(({ name, endpoint }) => {
  const [domain = '', key = ''] = name.split('.')
  const own = loose[domain]?.[key]
  if (own === undefined) throw new Error(`${name} has no case.`)
  return { name, endpoint, allowedStatus: 200, ...own }
})
