import { seededBy } from '../chance.ts'
import type { DemoVehicle } from '../demo-vehicle.ts'
import { makeVehicles } from '../make-vehicles.ts'
import { LAST_NIGHT, type DemoFeed } from './demo-feed.ts'
import { cellsOf, type FeedCells } from './feed-cells.ts'
import type { FeedLine } from './write-feed.ts'

/** A vehicle with the provider's dealer ID. */
export type Fed = Readonly<{ vehicle: DemoVehicle; dealer: string }>

/** The first night with a vehicle in the feed: the last night for vehicles in transit, the first for removed ones. */
export function firstNight({ inStockOn, status }: DemoVehicle, nights: readonly Date[]): number {
  if (status === 'removed') return 0
  if (inStockOn === null) return LAST_NIGHT
  const found = nights.findIndex((night) => inStockOn <= dayOf(night))
  return found === -1 ? LAST_NIGHT : found
}

/**
 * The lines of one night's file: the current vehicles without removed ones, plus typical provider errors. The last file
 * also has unmapped values, vehicles of an unknown dealer, and invalid rows.
 */
export function linesOf(
  feed: DemoFeed,
  stock: readonly Fed[],
  { night, nights, now }: { night: number; nights: readonly Date[]; now: Date },
): FeedLine[] {
  const lines = stock
    .filter(({ vehicle }) => firstNight(vehicle, nights) <= night)
    .filter(({ vehicle }) => vehicle.status !== 'removed' || night === 0)
    .map(({ vehicle, dealer }) => arrivedBy(cellsOf(vehicle, { dealer, night }), nights[night] ?? now))
  const unmapped = feed.stranger === undefined ? [] : unmappedRows(stock, nights)
  const spelled = lines.map((cells) => ({
    ...cells,
    ...unmapped.find(({ stock: one }) => one === cells.stock)?.values,
  }))
  const [doubled] = spelled
  if (night < LAST_NIGHT || doubled === undefined) return spelled
  return [
    ...spelled,
    ...strangersOf(feed, now),
    // No VIN or stock number to identify it.
    { ...doubled, vin: '', stock: '', price: 'Please Call' },
    // A duplicate row.
    { ...doubled, mileage: '0' },
    { cut: { ...doubled, vin: 'on order' }, after: 4 },
  ]
}

/** Limits the in-stock date to the date of the file. */
function arrivedBy(cells: FeedCells, night: Date): FeedCells {
  const day = dayOf(night)
  return cells.inStockOn > day ? { ...cells, inStockOn: day } : cells
}

const dayOf = (night: Date): string => night.toISOString().slice(0, 10)

type UnmappedRow = { stock: string; values: Partial<FeedCells> }

/** Unmapped values, only on vehicles that are gone, so that listings look right. */
function unmappedRows(stock: readonly Fed[], nights: readonly Date[]): UnmappedRow[] {
  const gone = stock
    .map(({ vehicle }) => vehicle)
    .filter(({ status, locked }) => (status === 'sold' || status === 'archived') && locked.length === 0)
    .filter((vehicle) => vehicle.vin !== null && firstNight(vehicle, nights) < LAST_NIGHT)
  const values: Partial<FeedCells>[] = [
    ...times(4, { transmission: '10-SPD SelectShift' }),
    ...times(3, { transmission: 'SelectShift' }),
    ...times(2, { transmission: 'Atomatic' }),
    ...times(2, { genericColor: 'Meteorite' }),
  ]
  return values.flatMap((one, at) => {
    const stockNumber = gone[at]?.stock
    return stockNumber === undefined ? [] : [{ stock: stockNumber, values: one }]
  })
}

/** Vehicles of an unknown dealer, with unmapped values. */
function strangersOf({ stranger }: DemoFeed, now: Date): FeedCells[] {
  if (stranger === undefined) return []
  const values: Partial<FeedCells>[] = [
    ...times(11, { transmission: 'SelectShift', make: 'Ford Truck' }),
    ...times(4, { transmission: 'Atomatic', make: 'Ford Truck' }),
    ...times(6, { genericColor: 'Meteorite', make: 'Ford Truck' }),
    { genericColor: 'Meteorite' },
    ...times(5, { body: 'Explorer' }),
    ...times(10, {}),
  ]
  const lot = { code: stranger, type: 'new' as const, makes: ['Ford'], vehicles: values.length * 8 }
  const chance = seededBy(stranger)
  const made = makeVehicles(lot, now).filter(({ vin }) => vin !== null)
  return values.map((one) => {
    const model = 'make' in one ? 'F-150' : 'Explorer'
    const of = made.filter((vehicle) => vehicle.model === model)
    const vehicle = chance.oneOf(of)
    made.splice(made.indexOf(vehicle), 1)
    return { ...cellsOf(vehicle, { dealer: stranger, night: LAST_NIGHT }), ...one }
  })
}

const times = (count: number, values: Partial<FeedCells>): Partial<FeedCells>[] =>
  Array.from({ length: count }, () => values)
