import type { Lot } from '#contract/customers/lots/lots.ts'
import type { VehicleFieldName } from '#contract/inventory/vehicles/vehicle-fields.ts'
import type { Photo } from '#contract/inventory/vehicles/vehicles.ts'

/** What a vehicle of the demo world is, costs, and how it stands today. Money is cents, days are `2026-03-01`. */
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
  colour: string
  fuel: string
  transmission: string
  drivetrain: string
  mileage: number
  msrpCents: number | null
  costCents: number | null
  priceCents: number | null
  /** Null: it is still on its way. */
  inStockOn: string | null
  /** When people last did something about it, ISO 8601. */
  updatedAt: string
}>

/** What else is known of it. */
export type VehicleDetails = Readonly<{
  doors: number | null
  interiorColour: string | null
  engine: string | null
  /** Miles a gallon. */
  cityEconomy: number | null
  highwayEconomy: number | null
  whPerMile: number | null
  co2: number
  options: readonly string[]
  description: string | null
  certification: string | null
  invoiceCents: number | null
  /** What its feed asks for it, where somebody set another price by hand. */
  otherPriceCents: number | null
  photos: readonly Photo[]
  /** What people wrote themselves: feeds leave it alone. */
  locked: readonly Extract<VehicleFieldName, 'price' | 'description' | 'colour' | 'trim' | 'interiorColour'>[]
}>

/** What publishers say it is worth. */
export type VehicleValuation = Readonly<{ marketPriceCents: number | null; bookValueCents: number | null }>

export type DemoVehicle = VehicleBasics &
  VehicleDetails &
  VehicleValuation & {
    tags: readonly string[]
    /** Values of the customer's own fields by their names. */
    custom: Readonly<Record<string, string>>
  }

/** A lot of the demo world once it stands, and how many vehicles it has. */
export type DemoStock = Readonly<{
  id: string
  code: string
  type: Lot['type']
  makes: readonly string[]
  dealerId: string
  vehicles: number
}>
