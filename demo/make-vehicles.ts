import { seededBy, type Chance } from './chance.ts'
import { customValuesOf } from './custom-fields.ts'
import type { DemoStock, DemoVehicle, VehicleBasics } from './demo-vehicle.ts'
import { describeVehicle } from './describe-vehicle.ts'
import { makeVin } from './make-vin.ts'
import { valuationOf } from './vehicle-valuations.ts'
import { DEMO_MODELS, startOfVin, type DemoModel } from './vehicle-models.ts'

type Lot = Pick<DemoStock, 'code' | 'type' | 'makes' | 'vehicles'>
type Condition = VehicleBasics['condition']

const DAY = 86_400_000
const COLORS = ['White', 'Black', 'Gray', 'Silver', 'Blue', 'Red', 'Green', 'Bronze']
const STATUSES = {
  live: 66,
  preparing: 8,
  incoming: 6,
  hold: 4,
  pending: 4,
  sold: 6,
  wholesale: 2,
  archived: 2,
  removed: 2,
} as const
const REASONS: Readonly<Record<string, readonly string[]>> = {
  hold: ['Open recall', 'Title not received', 'Waiting for parts', 'Reserved for a customer until Friday'],
  // Set by the feed, which no longer contains the vehicle.
  removed: ["Not in last night's feed"],
  wholesale: ['Mileage too high for our lot', 'Aged over 120 days'],
  preparing: ['Back from the body shop', 'Photos need to be retaken'],
}

/** The vehicles of a demo lot. Always the same except for dates, which are relative to `now`. */
export function makeVehicles(lot: Lot, now: Date): DemoVehicle[] {
  const chance = seededBy(lot.code)
  const details = seededBy(`${lot.code} details`)
  const valuations = seededBy(`${lot.code} worths`)
  const own = seededBy(`${lot.code} custom fields`)
  return Array.from({ length: lot.vehicles }, (_, at) => {
    const vehicle = makeVehicle(lot, { number: at + 1, now, chance })
    return {
      ...vehicle,
      ...describeVehicle(vehicle, details),
      ...valuationOf(vehicle, valuations),
      custom: customValuesOf(vehicle, own),
      tags: tagsOf(vehicle, now),
    }
  })
}

function makeVehicle(
  lot: Lot,
  { number, now, chance }: { number: number; now: Date; chance: Chance },
): VehicleBasics {
  const condition = chance.weighed<Condition>(
    lot.type === 'used' ? { used: 86, cpo: 14 } : { new: 56, used: 28, cpo: 11, demo: 5 },
  )
  const status = chance.weighed(STATUSES)
  const model = chance.oneOf(modelsFor(lot, condition))
  const [trim, listPrice] = chance.oneOf(model.trims)
  const thisYear = now.getUTCFullYear()
  const age = condition === 'new' || condition === 'demo' ? chance.whole(0, 1) - 1 : chance.whole(1, 9)
  const year = thisYear - age
  const isOrdered = status === 'incoming' && chance.happens(0.3)
  const daysIn = status === 'incoming' ? null : ageInStock(chance)
  const changedAt = now.getTime() - chance.upTo((daysIn ?? 3) * DAY + DAY / 2)
  return {
    condition,
    status,
    statusReason: reasonFor(status, chance),
    // Not built yet, so it has no VIN.
    vin: isOrdered
      ? null
      : makeVin(startOfVin(model, year), { year, serial: 100_000 + numberOf(lot.code) * 1_000 + number }),
    stock: `${lot.code.at(-1)}${condition === 'new' ? 'N' : 'U'}${10_000 + number * 7}`,
    year,
    make: model.make,
    model: model.model,
    trim,
    body: model.body,
    color: chance.oneOf(COLORS),
    fuel: model.fuel,
    transmission: model.fuel === 'Electric' ? 'Single-speed' : 'Automatic',
    drivetrain: chance.oneOf(model.drivetrains),
    ...mileageOf(condition, age, chance),
    ...amountsOf({ condition, status, age, listPrice, chance }),
    inStockOn: daysIn === null ? null : new Date(now.getTime() - daysIn * DAY).toISOString().slice(0, 10),
    updatedAt: new Date(changedAt).toISOString(),
  }
}

/** Tags that users of the lot have added. */
function tagsOf({ status, condition, inStockOn, priceCents }: VehicleBasics, now: Date): string[] {
  const days = inStockOn === null ? 0 : (now.getTime() - Date.parse(inStockOn)) / DAY
  return [
    ...(status === 'live' && condition === 'cpo' ? ['Front line'] : []),
    ...(status === 'live' && days > 90 ? ['Last chance'] : []),
    ...(status === 'wholesale' || (status === 'hold' && days > 60) ? ['Auction'] : []),
    ...(status === 'live' && Number(priceCents) > 5_500_000 ? ['Showroom'] : []),
  ]
}

/** New and certified vehicles are of the lot's makes, others of any make. */
function modelsFor({ makes }: Lot, condition: Condition): readonly DemoModel[] {
  const own = DEMO_MODELS.filter(({ make }) => makes.includes(make))
  return condition === 'used' || own.length === 0 ? DEMO_MODELS : own
}

function reasonFor(status: string, chance: Chance): string | null {
  const reasons = REASONS[status]
  if (reasons === undefined || (status === 'preparing' && chance.happens(0.7))) return null
  return chance.oneOf(reasons)
}

/** Days in stock: most vehicles sell within two months; a few age. */
function ageInStock(chance: Chance): number {
  return chance.happens(0.07) ? chance.whole(95, 210) : Math.floor(chance.upTo(1) ** 2 * 94)
}

function mileageOf(condition: Condition, age: number, chance: Chance): { mileage: number } {
  if (condition === 'new') return { mileage: chance.whole(4, 60) }
  if (condition === 'demo') return { mileage: chance.whole(1_200, 5_800) }
  return { mileage: Math.round(age * chance.whole(7_000, 15_000)) + chance.whole(0, 900) }
}

/** Cost, price, and MSRP for new vehicles, rounded to tens of currency units. */
function amountsOf(of: {
  condition: Condition
  status: string
  age: number
  listPrice: number
  chance: Chance
}): { priceCents: number | null; msrpCents: number | null; costCents: number | null } {
  const { condition, status, age, listPrice, chance } = of
  const isNew = condition === 'new' || condition === 'demo'
  const marketValue = isNew ? listPrice * (condition === 'demo' ? 0.93 : 1) : listPrice * 0.89 * 0.9 ** age
  const price = marketValue * (0.95 + chance.upTo(0.09))
  const cost = isNew ? listPrice * (0.91 + chance.upTo(0.04)) : price * (0.8 + chance.upTo(0.17))
  const isPriced = !(status === 'incoming' || status === 'preparing') || chance.happens(0.6)
  return {
    priceCents: isPriced ? Math.round(price / 10) * 1_000 - 500 : null,
    msrpCents: isNew ? listPrice * 100 : null,
    costCents: chance.happens(0.04) ? null : Math.round(cost / 10) * 1_000,
  }
}

const numberOf = (code: string): number =>
  Array.from(code).reduce((sum, letter) => sum + letter.charCodeAt(0), 0)
