import type { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Chance } from './chance.ts'
import type { VehicleBasics, VehicleDetails } from './demo-vehicle.ts'

const INTERIORS = ['Black', 'Ebony', 'Gray', 'Sandstone', 'Medium earth', 'Red']
const OPTIONS = {
  all: [
    'Heated front seats',
    'Rear camera',
    'Apple CarPlay',
    'Android Auto',
    'Blind spot monitor',
    'Keyless entry',
  ],
  SUV: ['Third row', 'Panoramic roof', 'Power tailgate', 'Roof rails', 'All-weather mats'],
  Pickup: ['Spray-in bed liner', 'Tow package', 'Running boards', 'Tonneau cover', 'Bed lights'],
  Sedan: ['Sunroof', 'Lane keeping', '18-inch wheels', 'Leather seats'],
  Van: ['Power sliding doors', 'Second row bench', 'Roof rack', 'Partition'],
  Coupe: ['Performance pack', 'Sport exhaust', 'Recaro seats'],
} as const
const ENGINES: Readonly<Record<string, readonly string[]>> = {
  Gasoline: ['2.0 L turbo I4', '2.5 L I4', '3.5 L V6', '2.7 L turbo V6'],
  Hybrid: ['2.5 L I4 hybrid', '2.0 L I4 hybrid'],
  Electric: ['Single motor', 'Dual motor'],
}
const DOORS: Readonly<Record<string, number>> = { Coupe: 2, Sedan: 4, Pickup: 4, SUV: 4, Van: 5 }
/** Fields that users sometimes correct. */
const EDITABLE = ['price', 'description', 'color', 'trim', 'interiorColor'] as const

/**
 * Further data of a demo vehicle, with gaps as in real feeds, and manual edits. Uses a separate generator, so that the
 * rest of the demo data doesn't change.
 */
export function describeVehicle(known: VehicleBasics, chance: Chance): VehicleDetails {
  const { body, fuel, condition, priceCents, msrpCents } = known
  const isElectric = fuel === 'Electric'
  const isThin = known.status === 'incoming' || chance.happens(0.08)
  const some = <T>(value: T, share: number): T | null => (chance.happens(share) ? value : null)
  const details = {
    doors: DOORS[body] ?? null,
    interiorColor: some(chance.oneOf(INTERIORS), isThin ? 0.2 : 0.9),
    engine: some(chance.oneOf(ENGINES[fuel] ?? ['2.0 L I4']), isThin ? 0.4 : 0.95),
    cityEconomy: isElectric ? null : Math.round(chance.whole(17, 34) * (fuel === 'Hybrid' ? 14 : 10)) / 10,
    highwayEconomy: isElectric ? null : Math.round(chance.whole(23, 39) * (fuel === 'Hybrid' ? 12 : 10)) / 10,
    whPerMile: isElectric ? chance.whole(250, 360) : null,
    co2: isElectric ? 0 : chance.whole(110, 290),
    options: isThin ? [] : optionsOf(body, chance),
    description: isThin ? null : describe(known, chance),
    invoiceCents: msrpCents === null ? null : Math.round((msrpCents * 0.94) / 1_000) * 1_000,
    otherPriceCents:
      priceCents === null ? null : priceCents + chance.oneOf([50_000, 120_000, 50_000, 100_000]),
    certification: condition === 'cpo' ? `${known.make} certified` : null,
  }
  const photos = isThin && chance.happens(0.7) ? [] : photosOf(known, chance)
  const locked = chance.happens(0.14) ? EDITABLE.filter(() => chance.happens(0.4)) : []
  // This value is no longer used, but without the draw all following vehicles would change.
  chance.whole(20, 200)
  const values = { ...known, ...details, price: priceCents }
  return { ...details, photos, locked: locked.filter((name) => values[name] !== null) }
}

function optionsOf(body: string, chance: Chance): string[] {
  const own =
    body === 'SUV' || body === 'Pickup' || body === 'Sedan' || body === 'Van' || body === 'Coupe'
      ? body
      : 'SUV'
  return [...OPTIONS[own], ...OPTIONS.all].filter(() => chance.happens(0.55))
}

function describe({ year, make, model, trim, mileage, condition }: VehicleBasics, chance: Chance): string {
  const name = [year, make, model, trim].join(' ')
  if (condition === 'new') return `${name}, ready to drive home today. Ask us for a video walk-around.`
  const care = chance.oneOf(['One owner from new.', 'Serviced here since new.', 'Clean history report.'])
  return `${name} with ${mileage.toLocaleString('en')} miles. ${care} Inspected in our own service department, with two keys and new wipers.`
}

/** Photos in the media of the demo customer, drawn by demo-files.ts. */
function photosOf({ body, color, make, model }: VehicleBasics, chance: Chance): Photo[] {
  const views = ['side', 'evening', 'wheel', 'back'].slice(0, chance.whole(2, 4))
  return views.map((view) => ({
    kind: 'file',
    place: `Vehicles/Stock/${body} ${color} ${view}.svg`,
    alt: `${color} ${make} ${model}, ${view === 'side' ? 'from the side' : view}`,
  }))
}
