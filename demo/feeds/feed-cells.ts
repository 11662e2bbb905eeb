import { seededBy } from '../chance.ts'
import type { DemoVehicle } from '../demo-vehicle.ts'
import { LAST_NIGHT } from './demo-feed.ts'

/** The values of a vehicle as the provider writes them; empty if missing. */
export type FeedCells = Readonly<Record<CellName, string>>
export type CellName = (typeof CELLS)[number]

const CELLS = [
  ...(['dealer', 'vin', 'stock', 'condition', 'year', 'make', 'model', 'trim', 'body', 'doors'] as const),
  ...(['color', 'genericColor', 'interiorColor', 'mileage', 'engine', 'fuel', 'transmission'] as const),
  ...(['drivetrain', 'cityEconomy', 'highwayEconomy', 'whPerMile', 'co2', 'options', 'description'] as const),
  ...(['msrp', 'invoice', 'cost', 'price', 'inStockOn', 'certification'] as const),
  ...(['marketPrice', 'bookValue'] as const),
]

/** Separates options; no option contains it. */
export const OPTION_MARK = '|'

/** Provider spellings of each standard value. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  SUV: ['SUV', 'SUV', 'Sport Utility', '4dr SUV', 'Crossover'],
  Pickup: ['Crew Cab Pickup', 'Pickup', 'SuperCrew', 'Truck'],
  Sedan: ['Sedan', 'Sedan', '4dr Car', 'sedan 4 dr'],
  Van: ['Van', 'Full-size Cargo Van', 'VAN'],
  Coupe: ['Coupe', '2dr Car Coupe', 'coup\u00e9'],
}
const FUELS: Readonly<Record<string, readonly string[]>> = {
  Gasoline: ['Gasoline', 'Gasoline Fuel', 'Regular Unleaded', 'Gas'],
  Hybrid: ['Hybrid', 'Gas/Electric Hybrid'],
  Electric: ['Electric', 'Electric Fuel System'],
}
const DRIVETRAINS: Readonly<Record<string, readonly string[]>> = {
  AWD: ['AWD', 'All Wheel Drive', 'all-wheel drive'],
  '4WD': ['4WD', '4x4', 'Four Wheel Drive'],
  FWD: ['FWD', 'Front Wheel Drive'],
  RWD: ['RWD', 'Rear Wheel Drive'],
}
const CONDITIONS = { new: 'New', used: 'Used', cpo: 'Certified Pre-Owned', demo: 'Demo' } as const
/** Manufacturer color names, which users of the dealer replaced with plain ones. */
const FANCY: Readonly<Record<string, string>> = {
  White: 'OXFORD WHITE CC',
  Black: 'Agate Black Met.',
  Gray: 'Carbonized Gray Metallic',
  Silver: 'Iconic Silver Metallic',
  Blue: 'Atlas Blue Tinted Clearcoat',
  Red: 'Rapid Red Met. Tinted CC',
  Green: 'Eruption Green',
  Bronze: 'Desert Sand Bronze',
}
const SHOUTED = 'CALL FOR DETAILS!!! ALL OFFERS CONSIDERED!!!'
const GONE = new Set(['sold', 'archived', 'wholesale'])

/**
 * The values of a vehicle in the feed of one night. Fields edited by users have different values here; prices fall from
 * night to night; values have provider spellings.
 */
export function cellsOf(
  vehicle: DemoVehicle,
  { dealer, night }: { dealer: string; night: number },
): FeedCells {
  // The same seed every night, because a feed doesn't change its spelling.
  const chance = seededBy(`${dealer} ${vehicle.stock}`)
  const { locked, mileage, options, trim, color } = vehicle
  const money = (cents: number | null): string => (cents === null ? '' : (cents / 100).toFixed(2))
  const spelled = (words: Readonly<Record<string, readonly string[]>>, value: string): string =>
    chance.oneOf(words[value] ?? [value])
  const number = (value: number | null): string => (value === null ? '' : String(value))
  const price = priceOn(vehicle, night, chance.upTo(1))
  return {
    dealer,
    vin: vehicle.vin ?? '',
    stock: vehicle.stock,
    condition: CONDITIONS[vehicle.condition],
    year: String(vehicle.year),
    make: chance.happens(0.2) ? vehicle.make.toUpperCase() : vehicle.make,
    model: vehicle.model,
    trim: locked.includes('trim') ? `${trim} w/ Equip. Group` : trim,
    body: spelled(BODIES, vehicle.body),
    doors: number(vehicle.doors),
    color: locked.includes('color') ? (FANCY[color] ?? color) : color,
    genericColor: color,
    interiorColor: locked.includes('interiorColor') ? 'SEE DEALER' : (vehicle.interiorColor ?? ''),
    mileage: chance.happens(0.15) ? `${mileage.toLocaleString('en')} mi` : String(mileage),
    engine: vehicle.engine ?? '',
    fuel: spelled(FUELS, vehicle.fuel),
    transmission: vehicle.transmission,
    drivetrain: spelled(DRIVETRAINS, vehicle.drivetrain),
    cityEconomy: number(vehicle.cityEconomy),
    highwayEconomy: number(vehicle.highwayEconomy),
    whPerMile: number(vehicle.whPerMile),
    co2: String(vehicle.co2),
    options: options.join(OPTION_MARK),
    description: descriptionOf(vehicle, chance.upTo(1)),
    msrp: money(vehicle.msrpCents),
    invoice: money(vehicle.invoiceCents),
    cost: money(vehicle.costCents),
    price: price === null ? 'Please Call' : `${chance.happens(0.3) ? '$' : ''}${money(price)}`,
    inStockOn: vehicle.inStockOn ?? '',
    certification: vehicle.certification ?? '',
    marketPrice: money(vehicle.marketPriceCents),
    bookValue: money(vehicle.bookValueCents),
  }
}

/** The price in the feed, without manual prices. Sold vehicles get no price cuts. */
function priceOn(vehicle: DemoVehicle, night: number, draw: number): number | null {
  const { locked, otherPriceCents, priceCents, status } = vehicle
  const today = locked.includes('price') ? otherPriceCents : priceCents
  if (today === null) return null
  const step = 30_000 + Math.floor(draw * 5) * 10_000
  const isCut = draw < 0.22 && !GONE.has(status) && !locked.includes('price')
  const wasCut = draw > 0.12 && draw < 0.7 && !GONE.has(status)
  const last = isCut && night < LAST_NIGHT ? step : 0
  return today + last + (wasCut && night === 0 ? step : 0)
}

function descriptionOf({ description, locked }: DemoVehicle, draw: number): string {
  if (locked.includes('description')) return SHOUTED
  if (description === null) return ''
  // Spreadsheets would read these as formulas.
  if (draw < 0.02) return `=ONE OWNER= ${description}`
  return draw < 0.04 ? `+ ${description}` : description
}
