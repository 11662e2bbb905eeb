import { z } from 'zod'
import { DISTANCE_UNITS } from '../customers/details.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Instant } from '../fields.ts'
import { Job } from '../jobs/jobs.ts'
import { Selection } from '../lists/selection.ts'
import { can, Func, Opr } from '../permissions.ts'
import { listQuery, queriedList } from '../queried-list.ts'
import { VEHICLE_LIST } from './vehicle-list.ts'

export const CONDITIONS = ['new', 'used', 'cpo', 'demo'] as const
/** From the truck that brings it to the archive. `removed`: its feed names it no more. */
export const VEHICLE_STATUSES = [
  'incoming',
  'preparing',
  'live',
  'hold',
  'pending',
  'sold',
  'archived',
  'wholesale',
  'removed',
] as const

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
  /** A day, `2026-03-01`. */
  inStockOn: z.string().nullable(),
  daysInStock: z.number().int().nullable(),
  version: z.number().int(),
  updatedAt: Instant,
  updatedBy: z.string().nullable(),
})
export type Vehicle = z.infer<typeof Vehicle>

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
    summary: 'One vehicle.',
    input: z.strictObject({ id: Id }),
    output: Vehicle,
  }),
  change: endpoint({
    method: 'POST',
    path: '/api/inventory/change-vehicles',
    allow: can(Func.vehicles, Opr.update),
    summary: 'Changes many vehicles by a job: their status, or the lot they stand on.',
    input: z.strictObject({
      selection: Selection,
      change: z.union(
        [
          z.strictObject({
            status: z.enum(VEHICLE_STATUSES),
            statusReason: z.string().trim().max(200).optional(),
          }),
          z.strictObject({ lotId: Id }),
        ],
        'Choose a status or a lot.',
      ),
    }),
    output: Job,
  }),
}
