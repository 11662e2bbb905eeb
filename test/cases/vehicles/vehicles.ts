import type { contract } from '#contract/index.ts'
import type { Cases } from '#test/cases/cases.ts'
import { customerWide, foreignTo, list } from '#test/cases/foreign.ts'
import { fresh, type TestOrganization } from '#test/factories/test-organization.ts'

const takesNothing = { input: () => ({}), foreign: 'takes no ids' } as const

const ofVehicle = {
  input: async ({ addVehicle }: TestOrganization) => ({ id: await addVehicle() }),
  foreign: foreignTo(404),
}

/** Price rules belong to the whole customer. */
const ofRule = {
  input: async ({ addPricingRule }: TestOrganization) => ({ id: await addPricingRule() }),
  foreign: customerWide,
}

/** Only users who may change the rule decide. */
const ofRequest = {
  input: async ({ addRuleRequest }: TestOrganization) => ({ id: await addRuleRequest(), version: 1 }),
  foreign: { 'sister organization': 403, 'other customer': 404 },
} as const

const ofAdvertised = {
  input: async ({ addAdvertisedPrice }: TestOrganization) => ({ id: await addAdvertisedPrice() }),
  foreign: foreignTo(404),
}

const ofSelection = {
  input: async ({ addVehicle }: TestOrganization) => ({ selection: { ids: [await addVehicle()] } }),
  foreign: foreignTo(404),
}

export const vehicleCases: Pick<
  Cases<typeof contract>,
  | 'vehicles'
  | 'vehiclePhotos'
  | 'customFields'
  | 'vehiclePrices'
  | 'advertisedPrices'
  | 'pricingRules'
  | 'ruleFiles'
  | 'ruleRequests'
> = {
  vehicles: {
    list,
    get: ofVehicle,
    add: {
      input: async ({ addLot }) => ({ lotId: await addLot(), stock: fresh('Stock') }),
      // The caller can't choose this lot.
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ addVehicle }) => ({ id: await addVehicle(), color: fresh('Color') }),
      foreign: foreignTo(404),
    },
    updateCells: {
      input: async ({ addVehicle }) => ({
        rows: [{ id: await addVehicle(), version: 1, tags: [fresh('Tag')] }],
      }),
      // Together with an existing row, the outcome of the row reports it (vehicle-cells.test.ts).
      foreign: foreignTo(404),
    },
    remove: ofVehicle,
    restore: {
      input: async ({ addVehicle, removeVehicle }) => {
        const id = await addVehicle()
        await removeVehicle(id)
        return { id }
      },
      foreign: foreignTo(404),
    },
    settings: takesNothing,
    uses: ofSelection,
    removeMany: ofSelection,
    unlock: ofSelection,
    timeline: ofVehicle,
    prices: ofVehicle,
    previewPrices: {
      input: async ({ addVehicle }) => ({
        selection: { ids: [await addVehicle({ priceCents: 2_000_000 })] },
        price: { action: 'lower', percent: 2 },
      }),
      foreign: foreignTo(404),
    },
    change: {
      input: async ({ addVehicle }) => ({
        selection: { ids: [await addVehicle()] },
        change: { status: 'hold' },
      }),
      foreign: foreignTo(404),
    },
  },
  customFields: { list: takesNothing },
  vehiclePrices: {
    get: ofVehicle,
    places: ofVehicle,
    documents: {
      input: async ({ addVehicle }) => ({
        selection: { ids: [await addVehicle({ priceCents: 2_000_000 })] },
        kind: 'deal-sheet',
        format: 'html',
      }),
      foreign: foreignTo(404),
    },
    setSpecial: {
      input: async ({ addVehicle }) => ({
        id: await addVehicle({ priceCents: 2_000_000 }),
        cents: 1_900_000,
        reason: fresh('Scratch'),
      }),
      foreign: foreignTo(404),
    },
    endSpecial: {
      input: async ({ addVehicle, addSpecialPrice }) => {
        const id = await addVehicle({ priceCents: 2_000_000 })
        await addSpecialPrice(id)
        return { id }
      },
      foreign: foreignTo(404),
    },
  },
  pricingRules: {
    list,
    get: ofRule,
    add: {
      input: async ({ addLot }) => ({
        name: fresh('Rule'),
        kind: 'discount',
        cents: 50_000,
        lotIds: [await addLot()],
      }),
      foreign: foreignTo(400),
    },
    update: {
      input: async ({ addPricingRule }) => ({ id: await addPricingRule(), cents: 60_000 }),
      foreign: { 'sister organization': 403, 'other customer': 404 },
    },
    remove: { ...ofRule, foreign: { 'sister organization': 403, 'other customer': 404 } },
    effects: takesNothing,
    calendar: takesNothing,
    versions: ofRule,
    preview: {
      input: async ({ addPricingRule }) => ({
        id: await addPricingRule(),
        rule: { name: fresh('Rule'), kind: 'discount', cents: 70_000 },
      }),
      foreign: customerWide,
    },
  },
  ruleFiles: {
    export: takesNothing,
    exportLowest: takesNothing,
    import: {
      input: async ({ addLot }) => {
        const code = fresh('L').replaceAll(' ', '').toUpperCase()
        await addLot(undefined, code)
        const rule = { name: fresh('Filed'), kind: 'discount', cents: 10_000, lots: [code] }
        return {
          isTrial: false,
          text: JSON.stringify({ format: 'forecourt-pricing-rules', version: 1, rules: [rule] }),
        }
      },
      foreign: foreignTo(400),
    },
    importLowest: {
      input: async ({ addLot }) => ({
        isTrial: true,
        table: fresh('MAP'),
        lotIds: [await addLot()],
        text: 'Make,Model,Lowest price\nFord,Nothing,"$1,000"\n',
      }),
      foreign: foreignTo(400),
    },
  },
  ruleRequests: {
    list: takesNothing,
    waiting: { input: async ({ addLot }) => ({ kind: 'lot', id: await addLot() }), foreign: foreignTo(404) },
    effect: { input: async ({ addRuleRequest }) => ({ id: await addRuleRequest() }), foreign: customerWide },
    preview: {
      input: async ({ addLot }) => ({
        change: { kind: 'lot', changes: { id: await addLot(), priceLaw: 'us-ca' } },
      }),
      foreign: foreignTo(404),
    },
    ask: {
      input: async ({ addPricingRule }) => ({
        change: { kind: 'update', changes: { id: await addPricingRule(), cents: 60_000 } },
      }),
      foreign: { 'sister organization': 403, 'other customer': 404 },
    },
    approve: ofRequest,
    reject: {
      ...ofRequest,
      input: async (place) => ({ ...(await ofRequest.input(place)), reason: 'Too many vehicles.' }),
    },
    // Only the user who asked can: rule-requests.test.ts.
    withdraw: { ...ofRequest, allowedStatus: 403 },
  },
  advertisedPrices: {
    list: { ...list, input: () => ({ search: 'a', sort: '-fromAt', page: 1 }) },
    get: ofAdvertised,
    proof: ofAdvertised,
    record: ofAdvertised,
    verify: ofAdvertised,
  },
  vehiclePhotos: {
    view: {
      // The name never resolves, so users who may ask are told that the photo can't be loaded.
      input: async ({ addVehicle }) => {
        const place = 'https://photos.invalid/1.jpg'
        return { id: await addVehicle({ photos: [{ kind: 'address', place, alt: '' }] }), place }
      },
      allowedStatus: 404,
      foreign: foreignTo(404),
    },
    copies: ofVehicle,
    // A name from another customer simply has no match (vehicle-photos.test.ts).
    match: { input: () => ({ names: ['N10063_1.jpg'] }), foreign: 'takes no ids' },
    add: ofVehicle,
    undoUpload: {
      input: async ({ addVehicle }) => ({
        vehicles: [{ id: await addVehicle(), places: ['Vehicles/none.jpg'], unlocks: false }],
      }),
      foreign: foreignTo(404),
    },
  },
}
