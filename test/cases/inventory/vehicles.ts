import { lots } from '#contract/customers/lots/lots.ts'
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

const ofPriced = {
  input: async ({ addVehicle }: TestOrganization) => ({ id: await addVehicle({ priceCents: 2_000_000 }) }),
  foreign: foreignTo(404),
}

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
    removeMany: ofSelection,
    unlock: ofSelection,
    timeline: ofVehicle,
    prices: ofVehicle,
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
    dealSheet: ofPriced,
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
    import: {
      input: async ({ addLot, call }) => {
        const { code } = await call(lots.get, { id: await addLot() })
        const rule = { name: fresh('Filed'), kind: 'discount', cents: 10_000, lots: [code] }
        return {
          isTrial: false,
          text: JSON.stringify({ format: 'forecourt-pricing-rules', version: 1, rules: [rule] }),
        }
      },
      foreign: foreignTo(400),
    },
    importLowest: {
      input: () => ({
        isTrial: true,
        table: fresh('MAP'),
        text: 'Make,Model,Lowest price\nFord,Nothing,"$1,000"\n',
      }),
      foreign: 'takes no ids',
    },
  },
  advertisedPrices: {
    list: { ...list, input: () => ({ search: 'a', sort: '-fromAt', page: 1 }) },
    get: ofAdvertised,
    proof: ofAdvertised,
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
