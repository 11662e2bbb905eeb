import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { ASK } from '#test/factories/marketing/add-marketing.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

/** Forms belong to the whole customer; users with access to all of it change them. */
const changed = { 'sister organization': 403, 'other customer': 404 } as const
const ofForm = async ({ addForm }: TestOrganization) => ({ id: (await addForm()).id })
const ofSubmission = {
  input: async ({ addSubmission }: TestOrganization) => ({ id: await addSubmission() }),
  foreign: foreignTo(404),
}

export const formCases: Pick<Cases<typeof contract>, 'forms' | 'submissions'> = {
  forms: {
    list,
    get: { input: ofForm, foreign: customerWide },
    add: {
      input: async ({ addLot }) => ({
        name: fresh('Form'),
        key: fresh('form')
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-'),
        lotId: await addLot(),
        draft: ASK,
        thankYouTitle: 'Thank you',
        thankYouText: 'We will answer soon.',
      }),
      foreign: foreignTo(400),
    },
    update: { input: async (place) => ({ ...(await ofForm(place)), name: fresh('Form') }), foreign: changed },
    tryOut: {
      input: () => ({ draft: ASK, answers: {}, language: 'en' }),
      foreign: 'takes no ids',
    },
    testLink: { input: ofForm, foreign: customerWide },
    publish: {
      input: async ({ addForm }) => {
        const { id, version } = await addForm()
        return { id, version }
      },
      foreign: changed,
    },
    close: { input: ofForm, foreign: changed },
    versions: { input: ofForm, foreign: customerWide },
    remove: { input: ofForm, foreign: changed },
  },
  submissions: {
    list: { ...list, input: () => ({ search: 'a', sort: '-sentAt', page: 1 }) },
    get: ofSubmission,
    release: {
      input: async ({ addSubmission }) => ({ id: await addSubmission(undefined, { isBot: true }) }),
      foreign: foreignTo(404),
    },
    download: {
      input: async ({ addFormFile }) => ({ id: await addFormFile() }),
      // The factory stores no bytes.
      allowedStatus: 404,
      foreign: foreignTo(404),
    },
    remove: ofSubmission,
  },
}
