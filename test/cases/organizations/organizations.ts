import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import { fresh } from '#test/factories/test-organization.ts'

const control = [
  { validFrom: '2020-01-01', ownership: '100', operationalControl: true, financialControl: true },
]

export const organizationCases: Pick<Cases<typeof contract>, 'organizationProfiles' | 'facilities'> = {
  organizationProfiles: {
    get: { input: ({ organizationId }) => ({ id: organizationId }), foreign: foreignTo(404) },
    members: { input: ({ organizationId }) => ({ id: organizationId }), foreign: foreignTo(404) },
    add: { input: () => ({ name: fresh('Rooftop') }), foreign: 'takes no ids' },
    update: {
      input: ({ organizationId }) => ({ id: organizationId, legalName: fresh('Rooftop LLC') }),
      foreign: foreignTo(404),
    },
  },
  facilities: {
    tree: { input: ({ organizationId }) => ({ organization: organizationId }), foreign: foreignTo(404) },
    lots: { input: ({ organizationId }) => ({ organization: organizationId }), foreign: foreignTo(404) },
    get: { input: async ({ addFacility }) => ({ id: await addFacility() }), foreign: foreignTo(404) },
    add: {
      input: ({ organizationId }) => ({
        organizationId,
        level: 'site',
        code: fresh('C').replace(' ', ''),
        name: fresh('Facility'),
        control,
      }),
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ addFacility }) => ({ id: await addFacility(), name: fresh('Facility') }),
      foreign: foreignTo(404),
    },
    remove: { input: async ({ addFacility }) => ({ id: await addFacility() }), foreign: foreignTo(404) },
  },
}
