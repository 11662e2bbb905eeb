import type { Lot } from '#contract/customers/lots/lots.ts'
import type { VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'

/** The main data of a demo vehicle. Money is in cents; dates are `2026-03-01`. */
export type VehicleBasics = Readonly<{
  status:
    | 'incoming'
    | 'preparing'
    | 'live'
    | 'hold'
    | 'pending'
    | 'sold'
    | 'archived'
    | 'wholesale'
    | 'removed'
  statusReason: string | null
  condition: 'new' | 'used' | 'cpo' | 'demo'
  vin: string | null
  stock: string
  year: number
  make: string
  model: string
  trim: string
  body: string
  color: string
  fuel: string
  transmission: string
  drivetrain: string
  mileage: number
  msrpCents: number | null
  costCents: number | null
  priceCents: number | null
  /** Null: in transit. */
  inStockOn: string | null
  /** When a user last changed it, ISO 8601. */
  updatedAt: string
}>

/** Further data of a demo vehicle. */
export type VehicleDetails = Readonly<{
  doors: number | null
  interiorColor: string | null
  engine: string | null
  /** MPG. */
  cityEconomy: number | null
  highwayEconomy: number | null
  whPerMile: number | null
  co2: number
  options: readonly string[]
  description: string | null
  certification: string | null
  invoiceCents: number | null
  /** The price in the feed if a user set a different price. */
  otherPriceCents: number | null
  photos: readonly Photo[]
  /** Fields edited by users and therefore locked. */
  locked: readonly Extract<VehicleFieldName, 'price' | 'description' | 'color' | 'trim' | 'interiorColor'>[]
}>

/** Third-party valuations. */
export type VehicleValuation = Readonly<{ marketPriceCents: number | null; bookValueCents: number | null }>

export type DemoVehicle = VehicleBasics &
  VehicleDetails &
  VehicleValuation & {
    tags: readonly string[]
    /** Custom field values by name. */
    custom: Readonly<Record<string, string>>
  }

/** A created demo lot with its number of vehicles. */
export type DemoStock = Readonly<{
  id: string
  code: string
  type: Lot['type']
  makes: readonly string[]
  dealerId: string
  vehicles: number
}>
