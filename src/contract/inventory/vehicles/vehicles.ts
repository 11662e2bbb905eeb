import { z } from 'zod'
import { CustomFieldName, CustomValue } from '#contract/customers/custom-fields/custom-fields.ts'
import { DISTANCE_UNITS } from '#contract/customers/details/details.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant, Version } from '#contract/fields.ts'
import { Job } from '#contract/jobs/jobs.ts'
import { Selection } from '#contract/lists/selection.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { CONDITIONS, ELECTRIFICATIONS, VALUE_SOURCES, VEHICLE_STATUSES } from './vehicle-choices.ts'
import { FieldName, MAX_CELL_ROWS, NewVehicle, VehicleCells, VehicleChange } from './vehicle-input.ts'
import { VEHICLE_LIST } from './vehicle-list.ts'

/** A picture: an address on the web, or the path of a file in the customer's media. */
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
  /** Why it is held, or was put back. */
  statusReason: z.string().nullable(),
  year: z.number().int().nullable(),
  make: z.string().nullable(),
  model: z.string().nullable(),
  trim: z.string().nullable(),
  body: z.string().nullable(),
  colour: z.string().nullable(),
  fuel: z.string().nullable(),
  transmission: z.string().nullable(),
  drivetrain: z.string().nullable(),
  mileage: z.number().int().nullable(),
  /** The customer's, here because not everybody who sees vehicles sees the details of the customer. */
  distanceUnit: z.enum(DISTANCE_UNITS),
  currency: z.string(),
  priceCents: z.number().int().nullable(),
  msrpCents: z.number().int().nullable(),
  /** Null, too, for whoever may not see costs. */
  costCents: z.number().int().nullable(),
  /** What others say it is worth, who says so and as of which day, `2026-03-01`. Never a price for buyers. */
  marketPriceCents: z.number().int().nullable(),
  marketPriceSource: z.string().nullable(),
  marketPriceOn: z.string().nullable(),
  bookValueCents: z.number().int().nullable(),
  bookValueSource: z.string().nullable(),
  bookValueOn: z.string().nullable(),
  /** A day, `2026-03-01`. */
  inStockOn: z.string().nullable(),
  daysInStock: z.number().int().nullable(),
  photoCount: z.number().int(),
  /** The first of its photos that is kept here; without one the first on the web. */
  photo: Photo.nullable(),
  /** Values of the customer's own fields by their names, `custom_keys`; those without one are not there. */
  custom: z.record(CustomFieldName, CustomValue),
  /** In the order in which they were put on. */
  tags: z.array(z.string()),
  /** How much of what buyers ask for is there, of 100 (completeness.ts). */
  completeness: z.number().int(),
  /** What keeps buyers from seeing it, in one line: "Hold (Open recall), no photos". Null when they see it. */
  notLive: z.string().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Vehicle = z.infer<typeof Vehicle>

/** Where a value came from. `by`: the feed or the person. `run`: of the import that wrote it. */
export const Provenance = z.object({
  source: z.enum(VALUE_SOURCES),
  by: z.string().nullable(),
  at: Instant,
  run: z.string().nullable(),
})
export type Provenance = z.infer<typeof Provenance>

/** A vehicle with everything that is known of it. */
export const VehicleRecord = Vehicle.extend({
  doors: z.number().int().nullable(),
  genericColour: z.string().nullable(),
  interiorColour: z.string().nullable(),
  engine: z.string().nullable(),
  electrification: z.enum(ELECTRIFICATIONS).nullable(),
  /** Litres for 100 km where the customer counts in km, miles a gallon otherwise. */
  cityEconomy: z.number().nullable(),
  highwayEconomy: z.number().nullable(),
  whPerMile: z.number().int().nullable(),
  /** Grams a kilometre. */
  co2: z.number().int().nullable(),
  options: z.array(z.string()),
  description: z.string().nullable(),
  /** What the maker asked of the dealer. Null, as the cost, for whoever may not see costs. */
  invoiceCents: z.number().int().nullable(),
  feedPriceCents: z.number().int().nullable(),
  certification: z.string().nullable(),
  pageUrl: z.string().nullable(),
  /** In the order in which they are shown. */
  photos: z.array(Photo),
  /** By the field; what is older than its vehicle's stamps has none. */
  provenance: z.partialRecord(FieldName, Provenance),
  /** The fields that feeds leave alone. */
  locked: z.array(FieldName),
})
export type VehicleRecord = z.infer<typeof VehicleRecord>

/** What was done to a vehicle: by somebody, by a job of many rows, or by a feed. */
export const VehicleEvent = z.object({
  at: Instant,
  /** The real person; null for the product itself. */
  by: z.string().nullable(),
  /** In whose skin; null as oneself. */
  as: z.string().nullable(),
  what: z.enum(['added', 'changed', 'deleted', 'restored']),
  /** The number of the job that did it among others. */
  jobId: z.string().nullable(),
  /**
   * The run of a feed that did it, and what the feed is called, where that is known yet. `canOpen`: the caller reaches the
   * run itself, and not only this vehicle.
   */
  run: z.object({ id: z.string(), feed: z.string().nullable(), canOpen: z.boolean() }).nullable(),
  /** Fields as words with what they were and became. */
  changes: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
})
export type VehicleEvent = z.infer<typeof VehicleEvent>

/** The most entries of a timeline that one answer holds. */
export const MAX_EVENTS = 200

/**
 * What became of a row of the grid. `stale`: somebody else changed it meanwhile, nothing of it was saved, and `vehicle` is
 * how it is by now. `refused`: a sentence for each wrong cell by its name, `custom.custom_key` of the
 * customer's own fields, and nothing of it was saved. `gone`: it is not
 * there any more, or out of reach.
 */
export const CellsOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('saved'), id: z.string(), vehicle: Vehicle }),
  z.object({ outcome: z.literal('stale'), id: z.string(), vehicle: Vehicle, by: z.string().nullable() }),
  z.object({ outcome: z.literal('refused'), id: z.string(), fields: z.record(z.string(), z.string()) }),
  z.object({ outcome: z.literal('gone'), id: z.string() }),
])
export type CellsOutcome = z.infer<typeof CellsOutcome>

export const vehicles = {
  list: endpoint({
    method: 'GET',
    path: '/api/inventory/get-vehicles',
    allow: can(Func.vehicles, Opr.list),
    summary: 'The vehicles the caller reaches, searched by VIN, stock number, make and model.',
    input: listQuery(VEHICLE_LIST),
    output: queriedList(Vehicle),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/inventory/edit-vehicle/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'One vehicle with everything that is known of it, and where each value came from.',
    input: z.strictObject({ id: Id }),
    output: VehicleRecord,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/inventory/add-vehicle',
    allow: can(Func.vehicles, Opr.create),
    summary: 'Adds a vehicle to a lot. A VIN that stands on the lot already answers 409.',
    input: NewVehicle,
    output: VehicleRecord,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/inventory/update-vehicle',
    allow: can(Func.vehicles, Opr.update),
    summary:
      'Changes a vehicle. What is edited is locked against feeds. A stale version answers 409 with the vehicle as it is now.',
    input: VehicleChange,
    output: VehicleRecord,
  }),
  updateCells: endpoint({
    method: 'POST',
    path: '/api/inventory/update-vehicles-cells',
    allow: can(Func.vehicles, Opr.update),
    summary:
      'Saves changed cells of many vehicles, each row by itself: one that is stale, wrong or gone does not hold up the others. What is edited is locked against feeds.',
    input: z.strictObject({
      rows: z
        .array(VehicleCells, 'Rows must be a list.')
        .min(1, 'Change at least one row.')
        .max(MAX_CELL_ROWS, `At most ${MAX_CELL_ROWS} rows are saved at once.`)
        .refine((rows) => new Set(rows.map(({ id }) => id)).size === rows.length, 'Name each vehicle once.'),
    }),
    /** In the order in which the rows were sent. */
    output: z.array(CellsOutcome),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/inventory/delete-vehicle/{id}',
    allow: can(Func.vehicles, Opr.delete),
    summary: 'Deletes a vehicle; `restore-vehicle` brings it back. A stale version answers 409 as above.',
    input: z.strictObject({ id: Id, version: Version }),
    // Null once it is gone; the vehicle itself comes with a 409 alone.
    output: VehicleRecord.nullable(),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/inventory/restore-vehicle',
    allow: can(Func.vehicles, Opr.delete),
    summary: 'Brings a deleted vehicle back as it was, under its number.',
    input: z.strictObject({ id: Id }),
    output: VehicleRecord,
  }),
  timeline: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-timeline/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'Who changed what of a vehicle, newest first.',
    input: z.strictObject({ id: Id }),
    output: z.object({ events: z.array(VehicleEvent), isCut: z.boolean() }),
  }),
  prices: endpoint({
    method: 'GET',
    path: '/api/inventory/vehicle-prices/{id}',
    allow: can(Func.vehicles, Opr.read),
    summary: 'What a vehicle was to cost, oldest first: one entry for each change of its price.',
    input: z.strictObject({ id: Id }),
    output: z.array(
      z.object({ at: Instant, priceCents: z.number().int().nullable(), by: z.string().nullable() }),
    ),
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/inventory/change-vehicles',
    allow: can(Func.vehicles, Opr.update),
    summary:
      "Changes many vehicles by a job: their status, the lot they stand on, or one of the customer's own fields.",
    input: z.strictObject({
      selection: Selection,
      change: z.union(
        [
          z.strictObject({
            status: z.enum(VEHICLE_STATUSES),
            statusReason: z.string().trim().max(200).optional(),
          }),
          z.strictObject({ lotId: Id }),
          /** One of the customer's own fields; null empties it. */
          z.strictObject({ custom: CustomFieldName, value: z.union([z.null(), CustomValue]) }),
        ],
        'Choose a status, a lot or a custom field.',
      ),
    }),
    output: Job,
  }),
}
