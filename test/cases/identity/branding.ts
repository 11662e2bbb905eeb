import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh } from '#test/factories/test-organization.ts'

const domain = (): string => `${fresh('cars').replace(' ', '-')}.example`

export const identityCases: Pick<Cases<typeof contract>, 'whiteLabels' | 'google'> = {
  // Not set up in most tests; google-sign-in.test.ts has a provider.
  google: {
    begin: { input: () => ({}), allowedStatus: 404, foreign: 'takes no ids' },
    signIn: {
      input: () => ({ expiresIn: 0, accessToken: 'x' }),
      allowedStatus: 404,
      foreign: 'takes no ids',
    },
  },
  whiteLabels: {
    list: { ...list, input: () => ({ search: 'a', sort: '-domain', page: 1 }) },
    get: { input: async ({ addDomain }) => ({ id: await addDomain() }), foreign: customerWide },
    // Requires access to all organizations; white-labels.test.ts covers another customer's domain.
    save: {
      input: () => ({ domain: domain(), title: fresh('Title') }),
      foreign: {
        input: async ({ addDomain }) => ({ id: await addDomain(), title: fresh('Title') }),
        ...foreignTo(403),
      },
    },
    remove: { input: async ({ addDomain }) => ({ id: await addDomain() }), foreign: foreignTo(403) },
    // Already verified, so no DNS lookup is made.
    verify: { input: async ({ addDomain }) => ({ id: await addDomain() }), foreign: foreignTo(403) },
    picture: { input: () => ({ hash: '0'.repeat(64) }), allowedStatus: 404, foreign: 'takes no ids' },
    isServed: { input: () => ({ domain: 'nobody.example' }), allowedStatus: 404, foreign: 'takes no ids' },
  },
}
