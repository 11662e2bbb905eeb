import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh } from '#test/factories/places.ts'

const domain = (): string => `${fresh('cars').replace(' ', '-')}.example`

export const identityCases: Pick<Cases<typeof contract>, 'whiteLabels' | 'google'> = {
  // Not set up in most tests: google-sign-in.test.ts has a provider.
  google: {
    begin: { input: () => ({}), letIn: 404, foreign: 'takes no ids' },
    signIn: { input: () => ({ expiresIn: 0, accessToken: 'x' }), letIn: 404, foreign: 'takes no ids' },
  },
  whiteLabels: {
    list: { ...list, input: () => ({ search: 'a', sort: '-domain', page: 1 }) },
    get: { input: async ({ addDomain }) => ({ id: await addDomain() }), foreign: customerWide },
    // Kept by people who reach the whole customer (white-labels.test.ts names one of another customer).
    save: {
      input: () => ({ domain: domain(), title: fresh('Title') }),
      foreign: {
        input: async ({ addDomain }) => ({ id: await addDomain(), title: fresh('Title') }),
        ...foreignTo(403),
      },
    },
    remove: { input: async ({ addDomain }) => ({ id: await addDomain() }), foreign: foreignTo(403) },
    // It is verified already: nobody is asked.
    verify: { input: async ({ addDomain }) => ({ id: await addDomain() }), foreign: foreignTo(403) },
    picture: { input: () => ({ hash: '0'.repeat(64) }), letIn: 404, foreign: 'takes no ids' },
    isServed: { input: () => ({ domain: 'nobody.example' }), letIn: 404, foreign: 'takes no ids' },
  },
}
