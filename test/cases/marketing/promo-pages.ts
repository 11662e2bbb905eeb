import type { contract } from '#contract/index.ts'
import { blankBlock } from '#contract/marketing/pages/blocks.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { freshCode } from '#test/factories/fresh.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

/** Pages and layouts belong to the whole customer; users with access to all of it change them. */
const changed = { 'sister organization': 403, 'other customer': 404 } as const
const ofPage = async ({ addPage }: TestOrganization) => ({ id: (await addPage()).id })
const ofSaved = async ({ addSavedBlocks }: TestOrganization) => ({ id: await addSavedBlocks() })
const ofLayout = async ({ addLayout }: TestOrganization) => ({ id: await addLayout() })

/** Saved blocks are changed where they were saved. */
const savedElsewhere = { 'sister organization': 403, 'other customer': 404 } as const

export const pageCases: Pick<Cases<typeof contract>, 'promoPages' | 'dvpLayouts' | 'savedBlocks'> = {
  promoPages: {
    list,
    get: { input: ofPage, foreign: customerWide },
    add: {
      input: async ({ addLot, addLayout }) => ({
        name: fresh('Page'),
        slug: freshCode('page').toLowerCase(),
        title: 'Clearance',
        lotId: await addLot(),
        layoutId: await addLayout(),
      }),
      foreign: foreignTo(400),
    },
    update: { input: async (place) => ({ ...(await ofPage(place)), name: fresh('Page') }), foreign: changed },
    publish: {
      input: async ({ addPage }) => {
        const { id, version } = await addPage()
        return { id, version }
      },
      foreign: changed,
    },
    discardDraft: {
      input: async ({ addPage }) => {
        const { id, version } = await addPage({}, { isPublished: true })
        return { id, version }
      },
      foreign: changed,
    },
    unpublish: {
      input: async ({ addPage }) => ({ id: (await addPage({}, { isPublished: true })).id }),
      foreign: changed,
    },
    visits: { input: ofPage, foreign: customerWide },
    facts: { input: ofPage, foreign: customerWide },
    previewLink: { input: ofPage, foreign: customerWide },
    preview: {
      input: async ({ addPage, addLayout }) => ({
        id: (await addPage()).id,
        title: 'Clearance',
        blocks: [],
        layoutId: await addLayout(),
        on: null,
      }),
      foreign: customerWide,
    },
    versions: { input: ofPage, foreign: customerWide },
    version: {
      input: async ({ addPage }) => ({ id: (await addPage({}, { isPublished: true })).id, number: 1 }),
      foreign: customerWide,
    },
    remove: { input: ofPage, foreign: changed },
    removeMany: {
      input: async (place) => ({ selection: { ids: [(await ofPage(place)).id] } }),
      foreign: changed,
    },
  },
  savedBlocks: {
    list,
    get: { input: ofSaved, foreign: customerWide },
    add: {
      input: () => ({ name: fresh('Saved'), blocks: [blankBlock('disclaimer', 'terms')] }),
      foreign: 'takes no ids',
    },
    update: {
      input: async (place) => ({ ...(await ofSaved(place)), name: fresh('Saved') }),
      foreign: savedElsewhere,
    },
    remove: { input: ofSaved, foreign: savedElsewhere },
    removeMany: {
      input: async (place) => ({ selection: { ids: [(await ofSaved(place)).id] } }),
      foreign: savedElsewhere,
    },
  },
  dvpLayouts: {
    list,
    get: { input: ofLayout, foreign: customerWide },
    add: { input: () => ({ name: fresh('Layout') }), foreign: 'takes no ids', needsCustomerReach: true },
    update: {
      input: async (place) => ({ ...(await ofLayout(place)), name: fresh('Layout') }),
      foreign: foreignTo(403),
      needsCustomerReach: true,
    },
    versions: { input: ofLayout, foreign: customerWide },
    version: {
      input: async (place) => ({ ...(await ofLayout(place)), number: 1 }),
      foreign: customerWide,
    },
    restore: {
      input: async (place) => ({ ...(await ofLayout(place)), to: 1 }),
      foreign: foreignTo(403),
      needsCustomerReach: true,
    },
    remove: { input: ofLayout, foreign: foreignTo(403), needsCustomerReach: true },
    removeMany: {
      input: async (place) => ({ selection: { ids: [(await ofLayout(place)).id] } }),
      foreign: foreignTo(403),
      needsCustomerReach: true,
    },
  },
}
