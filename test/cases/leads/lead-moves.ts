import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo } from '#test/cases/foreign.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** A new lead, and another lot of the same organization. */
const between = async ({ addLead, addLot }: TestOrganization) => ({
  id: await addLead(),
  lotId: await addLot(),
  reason: 'Asked there first',
})

export const leadMoveCases: Pick<Cases<typeof contract>, 'leadMoves'> = {
  leadMoves: {
    stores: { input: async ({ addLead }) => ({ id: await addLead() }), foreign: foreignTo(404) },
    move: { input: between, foreign: foreignTo(404) },
    copy: { input: between, foreign: foreignTo(404) },
    undo: {
      input: async (place) => ({ id: await place.addLeadMove() }),
      foreign: foreignTo(404),
    },
    moved: { input: () => ({}), foreign: 'takes no ids' },
  },
}
