import type { VehicleFieldName } from '#contract/inventory/vehicle-fields.ts'
import type { Photo } from '#contract/inventory/vehicles.ts'
import type { NewVehicle } from '#server/inventory/index.ts'
import type { Chance } from './chance.ts'

const INTERIORS = ['Black', 'Ebony', 'Grey', 'Sandstone', 'Medium earth', 'Red']
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
const HOUR = 3_600_000

type Known = Pick<
  NewVehicle,
  'year' | 'make' | 'model' | 'trim' | 'body' | 'colour' | 'fuel' | 'mileage' | 'condition' | 'status'
> & { priceCents: number | null; msrpCents: number | null; vin: string | null }

/**
 * What else a feed tells of a vehicle of the demo world, with gaps as feeds have them, where each value came from, and
 * what somebody changed by hand. Draws of its own, so that everything else of the demo stays what it is.
 */
export function describeVehicle(
  known: Known,
  { chance, now, feed, person }: { chance: Chance; now: Date; feed: string; person: string },
): Partial<NewVehicle> {
  const { body, fuel, condition, colour, priceCents, msrpCents } = known
  const isElectric = fuel === 'Electric'
  const isThin = known.status === 'incoming' || chance.happens(0.08)
  const some = <T>(value: T, share: number): T | null => (chance.happens(share) ? value : null)
  const details = {
    doors: DOORS[body ?? ''] ?? null,
    genericColour: colour,
    interiorColour: some(chance.oneOf(INTERIORS), isThin ? 0.2 : 0.9),
    engine: some(chance.oneOf(ENGINES[fuel ?? ''] ?? ['2.0 L I4']), isThin ? 0.4 : 0.95),
    electrification: electrificationOf(fuel),
    cityEconomy: isElectric ? null : Math.round(chance.whole(17, 34) * (fuel === 'Hybrid' ? 14 : 10)) / 10,
    highwayEconomy: isElectric ? null : Math.round(chance.whole(23, 39) * (fuel === 'Hybrid' ? 12 : 10)) / 10,
    whPerMile: isElectric ? chance.whole(250, 360) : null,
    co2: isElectric ? 0 : chance.whole(110, 290),
    options: isThin ? [] : optionsOf(body, chance),
    description: isThin ? null : describe(known, chance),
    invoiceCents: msrpCents === null ? null : Math.round((msrpCents * 0.94) / 1_000) * 1_000,
    feedPriceCents: priceCents === null ? null : priceCents + chance.oneOf([0, 0, 50_000, 100_000]),
    certification: condition === 'cpo' ? `${known.make} certified` : null,
    pageUrl: null,
  }
  const photos = isThin && chance.happens(0.7) ? [] : photosOf(known, chance)
  return { ...details, photos, ...provenanceOf(known, { chance, now, feed, person }) }
}

function electrificationOf(fuel: string | null | undefined): 'electric' | 'hybrid' | 'none' {
  if (fuel === 'Electric') return 'electric'
  return fuel === 'Hybrid' ? 'hybrid' : 'none'
}

function optionsOf(body: string | null | undefined, chance: Chance): string[] {
  const own =
    body === 'SUV' || body === 'Pickup' || body === 'Sedan' || body === 'Van' || body === 'Coupe'
      ? body
      : 'SUV'
  return [...OPTIONS[own], ...OPTIONS.all].filter(() => chance.happens(0.55))
}

function describe({ year, make, model, trim, mileage, condition }: Known, chance: Chance): string {
  const name = [year, make, model, trim].filter(Boolean).join(' ')
  if (condition === 'new') return `${name}, ready to drive home today. Ask us for a walk-round by video.`
  const care = chance.oneOf(['One owner from new.', 'Serviced here since new.', 'Clean history report.'])
  return `${name} with ${(mileage ?? 0).toLocaleString('en')} on the clock. ${care} Inspected in our own workshop, with two keys and new wipers.`
}

/** The pictures lie in the media of the demo customer; demo-files.ts draws them. */
function photosOf({ body, colour, make, model }: Known, chance: Chance): Photo[] {
  if (!body || !colour) return []
  const views = ['side', 'evening', 'wheel', 'back'].slice(0, chance.whole(2, 4))
  return views.map((view) => ({
    kind: 'file',
    place: `Vehicles/Stock/${body} ${colour} ${view}.svg`,
    alt: `${colour} ${make} ${model}, ${view === 'side' ? 'from the side' : view}`,
  }))
}

const WRITTEN: readonly VehicleFieldName[] = [
  ...([
    'vin',
    'stock',
    'condition',
    'mileage',
    'colour',
    'interiorColour',
    'options',
    'description',
  ] as const),
  ...(['msrp', 'invoice', 'cost', 'feedPrice', 'price', 'inStockOn', 'photos'] as const),
]
const DECODED: readonly VehicleFieldName[] = [
  'year',
  'make',
  'model',
  'trim',
  'engine',
  'doors',
  'electrification',
]
const MAPPED: readonly VehicleFieldName[] = ['body', 'fuel', 'transmission', 'drivetrain', 'genericColour']
const BY_HAND: readonly VehicleFieldName[] = ['price', 'description', 'colour', 'trim', 'interiorColour']

/** The feed of last night, the VIN and the mapping; on some a person was at work since. */
function provenanceOf(
  known: Known,
  { chance, now, feed, person }: { chance: Chance; now: Date; feed: string; person: string },
): Pick<NewVehicle, 'provenance' | 'locked'> {
  const at = (hours: number) => new Date(now.getTime() - hours * HOUR).toISOString()
  const locked = chance.happens(0.14) ? BY_HAND.filter(() => chance.happens(0.4)) : []
  const without = (fields: readonly VehicleFieldName[]) => fields.filter((name) => !locked.includes(name))
  const decoded = known.vin === null ? [] : without(DECODED)
  const fed = [...without(WRITTEN), ...(known.vin === null ? without(DECODED) : [])]
  const stamps = [
    { source: 'feed' as const, by: feed, at: at(14), run: '1', fields: fed },
    { source: 'vin' as const, by: null, at: at(14), run: '1', fields: decoded },
    { source: 'mapping' as const, by: feed, at: at(14), run: '1', fields: without(MAPPED) },
    { source: 'user' as const, by: person, at: at(chance.whole(20, 200)), fields: locked },
  ]
  return { provenance: stamps.filter(({ fields }) => fields.length > 0), locked }
}
