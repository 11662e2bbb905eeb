import { ConfirmPrices } from '#contract/confirm-prices.ts'
import { z } from 'zod'
import { CustomFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'
import { DISTANCE_UNITS } from '#contract/customers/details/details.ts'
import { deletionOf, RowsSeen } from '#contract/deletion.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { BulkPrice, BulkPricePreview } from './bulk-prices.ts'
import {
  CONDITIONS,
  ELECTRIFICATIONS,
  PRICE_ANSWERS,
  PRICE_STATES,
  VALUE_SOURCES,
  VEHICLE_STATUSES,
} from './vehicle-choices.ts'
import { FieldName, MAX_CELL_ROWS, NewVehicle, VehicleCells, VehicleChange } from './vehicle-input.ts'
import { VEHICLE_LIST } from './vehicle-list.ts'

/** A photo: a URL, or the path of a file in the customer's media. */
export const Photo = z.object({ kind: z.enum(['address', 'file']), place: z.string(), alt: z.string() })
export type Photo = z.infer<typeof Photo>

/** A vehicle on a lot. Amounts are integer cents in the customer's currency. */
export const Vehicle = z.object({
  id: z.string(),
  organizationId: z.string(),
  lotId: z.string(),
  lotName: z.string(),
  vin: z.string().nullable(),
  stock: z.string().nullable(),
  condition: z.enum(CONDITIONS),
  status: z.enum(VEHICLE_STATUSES),
  /** Why the vehicle is on hold or was moved back. */
  statusReason: z.string().nullable(),
  year: z.number().int().nullable(),
  make: z.string().nullable(),
  model: z.string().nullable(),
  trim: z.string().nullable(),
  body: z.string().nullable(),
  color: z.string().nullable(),
  fuel: z.string().nullable(),
  transmission: z.string().nullable(),
  drivetrain: z.string().nullable(),
  mileage: z.number().int().nullable(),
  /** The customer's setting, repeated here because some users see vehicles but not customer details. */
  distanceUnit: z.enum(DISTANCE_UNITS),
  currency: z.string(),
  /** The price before rules and fees, as a feed or a person set it. */
  priceCents: z.number().int().nullable(),
  /** Who decides about the price now; null without a price. */
  priceState: z.enum(PRICE_STATES).nullable(),
  /** What the feed sent last as the price; 0: no price. Null: it isn't known. */
  sourcePriceCents: z.number().int().nullable(),
  /** The feed has sent another price, but a person set the price or the new one is beyond the limits: someone has to decide. */
  asksPrice: z.boolean(),
  /** What every buyer can get: the price after the pricing rules. Null without a price, and once the vehicle is gone. */
  sellingPriceCents: z.number().int().nullable(),
  /** The selling price plus the mandatory fees that the lot's price law includes. */
  totalPriceCents: z.number().int().nullable(),
  msrpCents: z.number().int().nullable(),
  /** Also null if the caller may not see costs. */
  costCents: z.number().int().nullable(),
  /** Third-party valuations with source and as-of date, `2026-03-01`. Never shown to buyers. */
  marketPriceCents: z.number().int().nullable(),
  marketPriceSource: z.string().nullable(),
  marketPriceOn: z.string().nullable(),
  bookValueCents: z.number().int().nullable(),
  bookValueSource: z.string().nullable(),
  bookValueOn: z.string().nullable(),
  /** A date, `2026-03-01`. */
  inStockOn: z.string().nullable(),
  daysInStock: z.number().int().nullable(),
  photoCount: z.number().int(),
  /** The first uploaded photo; if there is none, the first photo URL. */
  photo: Photo.nullable(),
  /** Custom field values by name, such as `custom_keys`; fields without a value are omitted. */
  custom: z.record(CustomFieldName, CustomValue),
  /** In the order in which they were added. */
  tags: z.array(z.string()),
  /** Share of the key details that are filled in, 0 to 100 (completeness.ts). */
  completeness: z.number().int(),
  /** Why the vehicle isn't published, in one line: "Hold (Open recall), no photos". Null if it is published. */
  notPublishedReason: z.string().nullable(),
  /** What buyers see: `published` exactly if `notPublishedReason` is null. */
  published: z.enum(['published', 'not-published']),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Vehicle = z.infer<typeof Vehicle>

/** Where a value came from. `by`: the name of the feed or user. `run`: the ID of the feed run. */
export const Provenance = z.object({
  source: z.enum(VALUE_SOURCES),
  by: z.string().nullable(),
  at: Instant,
  run: z.string().nullable(),
})
export type Provenance = z.infer<typeof Provenance>

/** A vehicle with all of its fields. */
export const VehicleRecord = Vehicle.extend({
  doors: z.number().int().nullable(),
  genericColor: z.string().nullable(),
  interiorColor: z.string().nullable(),
  engine: z.string().nullable(),
  electrification: z.enum(ELECTRIFICATIONS).nullable(),
  /** L/100 km if the customer's distance unit is km, otherwise MPG. */
  cityEconomy: z.number().nullable(),
  highwayEconomy: z.number().nullable(),
  whPerMile: z.number().int().nullable(),
  /** Grams per kilometer. */
  co2: z.number().int().nullable(),
  options: z.array(z.string()),
  description: z.string().nullable(),
  /** The manufacturer's invoice price to the dealer. Like the cost, null if the caller may not see costs. */
  invoiceCents: z.number().int().nullable(),
  feedPriceCents: z.number().int().nullable(),
  certification: z.string().nullable(),
  pageUrl: z.string().nullable(),
  /** In display order. */
  photos: z.array(Photo),
  /** By field. Values from before provenance was recorded have none. */
  provenance: z.partialRecord(FieldName, Provenance),
  /** Fields that feeds don't change. */
  locked: z.array(FieldName),
})
export type VehicleRecord = z.infer<typeof VehicleRecord>

/** A change to a vehicle by a user, a bulk job or a feed. */
export const VehicleEvent = z.object({
  at: Instant,
  /** The real user; null for the system. */
  by: z.string().nullable(),
  /** The impersonated user; null without impersonation. */
  as: z.string().nullable(),
  what: z.enum(['added', 'changed', 'deleted', 'restored']),
  /** The bulk job that made the change. */
  jobId: z.string().nullable(),
  /**
   * The feed run that made the change, with the feed's name if it is still known. `canOpen`: the caller has access to the
   * run, not only to this vehicle.
   */
  run: z.object({ id: z.string(), feed: z.string().nullable(), canOpen: z.boolean() }).nullable(),
  /** The change is the undo of that feed run. */
  isUndo: z.boolean(),
  /** Field labels with old and new values as users read them: "$34,945", "For sale". */
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})
export type VehicleEvent = z.infer<typeof VehicleEvent>

/** What can change a price. */
const PRICE_CAUSES = ['rule', 'approval', 'settings', 'lot', 'special', 'vehicle', 'feed', 'clock'] as const

/** Who or what changed a price. */
export const PriceCause = z.object({
  what: z.enum(PRICE_CAUSES),
  /** The user, and the user whom they impersonated. */
  by: z.string().nullable(),
  as: z.string().nullable(),
  /** The rules in the version that changed it, without those that the caller may not read. */
  rules: z.array(z.object({ id: z.string(), name: z.string(), version: z.number().int() })),
})
export type PriceCause = z.infer<typeof PriceCause>

/** The prices of a vehicle from a point in time on, in integer cents; null: no price. */
export const PricePoint = z.object({
  at: Instant,
  /** The time zone of the vehicle's lot, in which its prices start and end. */
  zone: z.string(),
  /** Who changed the price; null for a feed, and if rules, fees or the clock changed it. */
  by: z.string().nullable(),
  /** The vehicle's own price stayed the same: rules, fees or the price law changed what buyers pay. */
  isByRules: z.boolean(),
  /** The price before rules and fees. */
  priceCents: z.number().int().nullable(),
  /** Also null before they were recorded. */
  sellingCents: z.number().int().nullable(),
  totalCents: z.number().int().nullable(),
  /** The rules behind the selling price. */
  rules: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The name of the feed that changed the vehicle's own price; null for others, and for feeds that the caller may not see. */
  feed: z.string().nullable(),
  /** What changed the selling price; empty from before it was kept. Several, if they came at the same time. */
  causes: z.array(PriceCause),
})
export type PricePoint = z.infer<typeof PricePoint>

/** Maximum number of timeline entries in one response. */
export const MAX_EVENTS = 200

/**
 * The result for one grid row. `stale`: another user changed it in the meantime; nothing was saved, and `vehicle` is the
 * current one. `refused`: nothing was saved; `fields` has an error message for each invalid cell, with custom fields as
 * `custom.custom_key`. `gone`: it was deleted or is out of the caller's reach.
 */
export const CellsOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), id: z.string(), vehicle: Vehicle }),
  z.object({ outcome: z.literal('stale'), id: z.string(), vehicle: Vehicle, by: z.string().nullable() }),
  z.object({ outcome: z.literal('refused'), id: z.string(), fields: z.record(z.string(), z.string()) }),
  z.object({ outcome: z.literal('gone'), id: z.string() }),
])
export type CellsOutcome = z.infer<typeof CellsOutcome>

const LIST = '/api/inventory/get-vehicles'
const TIMELINE = '/api/inventory/vehicle-timeline/{id}'
const PRICES = '/api/inventory/vehicle-prices/{id}'
/** What shows vehicles besides the page of one. */
const SHOWN = [LIST, '/api/home/dashboard', '/api/lists/get-facets'] as const
/** The parts of a vehicle's page that are read separately. The page itself shows the response of a change. */
const PAGE_PARTS = [
  TIMELINE,
  PRICES,
  '/api/inventory/vehicle-price/{id}',
  '/api/inventory/vehicle-price-places/{id}',
  '/api/inventory/photo-copies/{id}',
] as const

export const vehicles = {
  list: endpoint({
    method: 'GET',
    path: LIST,
    allow: can(Func.vehicles, Opr.list),
    summary: 'Lists the vehicles the caller has access to. Searches by VIN, stock number, make and model.',
    input: listQuery(VEHICLE_LIST),
    output: queriedList(Vehicle),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-vehicle/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Returns one vehicle with all of its fields and the source of each value.',
    input: z.strictObject({ id: Id }),
    output: VehicleRecord,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-vehicle',
    allow: can(Func.vehicles, Opr.create),
    // Whether the files of its photos exist is asked before its transaction.
    outside: true,
    summary:
      'Adds a vehicle to a lot. Returns 409 if the VIN is already on the lot, or if the price is beyond the limits of the customer and `confirmPrices` is missing.',
    input: NewVehicle,
    output: VehicleRecord,
    changes: [...SHOWN, ...PAGE_PARTS],
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-vehicle',
    allow: can(Func.vehicles, Opr.update),
    // Whether the files of its photos exist is asked before its transaction.
    outside: true,
    summary:
      'Changes a vehicle and locks the changed fields so that feeds keep them. A stale version returns 409 with the current vehicle, a price beyond the limits of the customer without `confirmPrices` 409 on that field.',
    input: VehicleChange,
    output: VehicleRecord,
    changes: [...SHOWN, ...PAGE_PARTS],
  }),
  updateCells: endpoint({
    method: 'POST',
    path: '/api/inventory/update-vehicles-cells',
    allow: can(Func.vehicles, Opr.update),
    summary:
      'Saves changed cells of several vehicles. Rows are saved independently: a row that is stale, invalid or deleted does not affect the others. Changed fields are locked so that feeds keep them. Returns 409 without saving anything if prices are beyond the limits of the customer and `confirmPrices` is missing.',
    input: z.strictObject({
      confirmPrices: ConfirmPrices,
      rows: z
        .array(VehicleCells, 'Rows must be a list.')
        .min(1, 'Change at least one row.')
        .max(MAX_CELL_ROWS, `You can save at most ${MAX_CELL_ROWS} rows at once.`)
        .refine(
          (rows) => new Set(rows.map(({ id }) => id)).size === rows.length,
          'List each vehicle only once.',
        ),
    }),
    /** In the order in which the rows were sent. */
    output: z.array(CellsOutcome),
    changes: [...SHOWN, ...PAGE_PARTS],
  }),
  remove: endpoint({
    ...deletionOf(VehicleRecord),
    path: '/api/inventory/delete-vehicle/{id}',
    allow: can(Func.vehicles, Opr.delete),
    summary:
      'Deletes a vehicle; `restore-vehicle` undoes this. A stale version returns 409 with the current vehicle.',
    changes: SHOWN,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/inventory/restore-vehicle',
    allow: can(Func.vehicles, Opr.delete),
    summary: 'Restores a deleted vehicle with its previous values and ID.',
    input: z.strictObject({ id: Id }),
    output: VehicleRecord,
    changes: [...SHOWN, ...PAGE_PARTS],
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-settings',
    // Price rules have amounts too.
    allow: { anyOf: [can(Func.vehicles, Opr.read), can(Func.pricingRules, Opr.read)] },
    summary:
      'Returns what a form for vehicles needs to read amounts: the currency and distance unit of the customer.',
    input: z.strictObject({}),
    output: z.object({ currency: z.string(), distanceUnit: z.enum(DISTANCE_UNITS) }),
  }),
  uses: endpoint({
    method: 'POST',
    path: '/api/inventory/get-vehicle-uses',
    allow: can(Func.vehicles, Opr.read),
    summary:
      'Returns which promo pages, layouts and short URLs show vehicles or lead to them, as far as the caller may see them: what to know before they are deleted.',
    input: z.strictObject({ selection: Selection }),
    output: z.object({
      /** "the promo page Trucks and the short URLs Mail, Print"; null if there are none. */
      uses: z.string().nullable(),
    }),
    writes: false,
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/inventory/delete-vehicles',
    allow: can(Func.vehicles, Opr.delete),
    summary:
      'Starts a job that deletes many vehicles. Undoing the job restores them with their values and IDs.',
    input: RowsSeen,
    output: Job,
  }),
  unlock: endpoint({
    method: 'POST',
    path: '/api/inventory/unlock-vehicles',
    allow: can(Func.vehicles, Opr.update),
    summary:
      'Starts a job that unlocks all locked fields of many vehicles, so that feeds can change them again.',
    input: z.strictObject({ selection: Selection }),
    output: Job,
  }),
  timeline: endpoint({
    method: 'GET',
    path: TIMELINE,
    allow: can(Func.vehicles, Opr.read),
    summary: 'Lists the changes to a vehicle, newest first.',
    input: z.strictObject({ id: Id }),
    output: z.object({ events: z.array(VehicleEvent), isCut: z.boolean() }),
  }),
  prices: endpoint({
    method: 'GET',
    path: PRICES,
    allow: can(Func.vehicles, Opr.read),
    summary:
      'Lists the price changes of a vehicle, oldest first: its own price, and the selling price and total price that pricing rules and fees made of it.',
    input: z.strictObject({ id: Id }),
    output: z.array(PricePoint),
  }),
  previewPrices: endpoint({
    method: 'POST',
    path: '/api/inventory/preview-vehicle-prices',
    allow: can(Func.vehicles, Opr.update),
    writes: false,
    summary:
      'Returns what a change of the prices of many vehicles would do now: how many prices change, why the others stay, and the sums and totals for buyers before and after.',
    input: z.strictObject({ selection: Selection, price: BulkPrice }),
    output: BulkPricePreview,
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/inventory/change-vehicles',
    allow: can(Func.vehicles, Opr.update),
    summary:
      'Starts a job that changes the status, lot, price or one custom field of many vehicles, or decides about prices that people set where the feed sent another one than before. Returns 409 without changing anything if selling prices then change beyond the limits of the customer and `confirmPrices` is missing, or if a change of prices has another effect by now than in its preview.',
    input: z.strictObject({
      selection: Selection,
      change: z.union(
        [
          z.strictObject({
            status: z.enum(VEHICLE_STATUSES),
            statusReason: z.string().trim().max(200).optional(),
          }),
          z.strictObject({ lotId: Id }),
          /** A custom field; null clears it. */
          z.strictObject({ custom: CustomFieldName, value: z.union([z.null(), CustomValue]) }),
          /**
           * Takes the price of the feed, or keeps the own one, where the feed sent another one than before. With `cents`, a
           * vehicle whose feed has sent yet another price since is left as it is.
           */
          z.strictObject({
            sourcePrice: z.enum(PRICE_ANSWERS, 'Choose take or keep.'),
            cents: z.number().int().min(0).optional(),
          }),
          /** Another price for each vehicle, as it was previewed: `seen` is that of the preview. */
          z.strictObject({ price: BulkPrice, seen: z.string('Preview the change first.').max(100) }),
        ],
        'Choose a status, a lot, a custom field or what to do about prices.',
      ),
      confirmPrices: ConfirmPrices,
    }),
    output: Job,
  }),
}
