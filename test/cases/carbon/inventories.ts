import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

let year = 6000
/** A year without inventories, because periods with the same boundary must not overlap. */
export function freshPeriod() {
  year += 1
  return { name: fresh('Inventory'), periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` }
}

const customSource = () => ({
  name: fresh('Hotel'),
  scope: '3.6',
  activity: 'travel/hotel/uk',
  unit: 'room-night',
})
const byId = {
  input: async ({ addInventory }: TestOrganization) => ({ id: await addInventory() }),
  foreign: foreignTo(404),
}
const ofInventory = {
  input: async ({ addInventory }: TestOrganization) => ({ inventory: await addInventory() }),
  foreign: foreignTo(404),
}

const approvalId = async ({ addApproval }: TestOrganization) => ({ id: await addApproval() })
/** A request that was decided already. */
const reopening = <More extends object>(more: More, allowedStatus: number) => ({
  input: async ({ addReopening }: TestOrganization) => ({ id: await addReopening(), ...more }),
  allowedStatus,
  foreign: foreignTo(404),
})

export const inventoryCases: Pick<
  Cases<typeof contract>,
  | 'baseYear'
  | 'carbonInventories'
  | 'carbonAssignments'
  | 'customSources'
  | 'inventoryApproval'
  | 'inventoryApprovals'
  | 'inventoryReopenings'
> = {
  inventoryApproval: { check: ofInventory, history: ofInventory },
  inventoryApprovals: {
    list: ofInventory,
    download: { input: approvalId, foreign: foreignTo(404) },
    verify: { input: approvalId, foreign: foreignTo(404) },
  },
  inventoryReopenings: {
    list: ofInventory,
    // One user does all the steps, so there is nothing to confirm. reopenings.test.ts has two.
    request: {
      input: async ({ addInventory }) => ({
        inventory: await addInventory('locked'),
        status: 'approved',
        reason: 'A meter was misread',
      }),
      allowedStatus: 409,
      foreign: foreignTo(404),
    },
    confirm: reopening({ reason: 'Agreed' }, 409),
    decline: reopening({ reason: 'Restate it instead' }, 409),
    withdraw: reopening({}, 409),
  },
  baseYear: {
    get: ofInventory,
    // There is no notice to dismiss. base-year.test.ts dismisses one.
    dismiss: {
      input: async ({ addInventory }) => ({ inventory: await addInventory(), reason: 'Not material' }),
      allowedStatus: 404,
      foreign: foreignTo(404),
    },
  },
  carbonInventories: {
    list,
    get: byId,
    people: { input: ({ organizationId }) => ({ organization: organizationId }), foreign: foreignTo(404) },
    add: {
      input: () => ({ ...freshPeriod(), boundary: 'operational' }),
      foreign: {
        input: ({ organizationId }) => ({ ...freshPeriod(), boundary: 'operational', organizationId }),
        ...foreignTo(400),
      },
    },
    update: {
      input: async ({ addInventory }) => ({ id: await addInventory(), name: fresh('Renamed') }),
      foreign: foreignTo(404),
    },
    copy: {
      input: async ({ addInventory }) => ({ id: await addInventory(), ...freshPeriod() }),
      foreign: foreignTo(404),
    },
    restate: {
      input: async ({ addInventory }) => ({
        id: await addInventory('locked'),
        reason: 'A meter was misread',
      }),
      foreign: foreignTo(404),
    },
    setStatus: {
      input: async ({ addInventory }) => ({ id: await addInventory(), status: 'collecting' }),
      foreign: foreignTo(404),
    },
    remove: byId,
  },
  customSources: {
    list: ofInventory,
    findActivities: {
      input: async ({ addInventory }) => ({ inventory: await addInventory(), search: 'hotel' }),
      foreign: foreignTo(404),
    },
    add: {
      input: async ({ addInventory }) => ({ inventoryId: await addInventory(), ...customSource() }),
      foreign: foreignTo(404),
    },
    update: {
      input: async ({ addCustomSource }) => ({ id: await addCustomSource(), ...customSource() }),
      foreign: foreignTo(404),
    },
    remove: {
      input: async ({ addCustomSource }) => ({ id: await addCustomSource() }),
      foreign: foreignTo(404),
    },
    restore: {
      input: async ({ addCustomSource }) => ({ id: await addCustomSource(fresh('Removed'), true) }),
      foreign: foreignTo(404),
    },
  },
  carbonAssignments: {
    facilities: ofInventory,
    choose: {
      input: async ({ addInventory, addFacility }) => ({
        inventoryId: await addInventory(),
        choices: [{ facilityId: await addFacility(), choice: 'included' }],
      }),
      foreign: foreignTo(404),
    },
    sources: ofInventory,
    factorGaps: ofInventory,
    save: {
      input: async ({ addInventory, addChosenFacility }) => {
        const inventoryId = await addInventory()
        const facilityId = await addChosenFacility(inventoryId)
        return { inventoryId, changes: [{ facilityId, sourceType: 'electricity', isAssigned: true }] }
      },
      foreign: foreignTo(404),
    },
  },
}
