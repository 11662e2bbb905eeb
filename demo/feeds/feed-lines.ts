import { madeBy } from '../chance.ts'
import type { DemoVehicle } from '../demo-vehicle.ts'
import { makeVehicles } from '../make-vehicles.ts'
import { LAST_NIGHT, type DemoFeed } from './demo-feed.ts'
import { cellsOf, type FeedCells } from './feed-cells.ts'
import type { FeedLine } from './write-feed.ts'

/** A vehicle beside the number that its provider gives its dealer. */
export type Fed = Readonly<{ vehicle: DemoVehicle; dealer: string }>

/** From which night on a feed names a vehicle. One that is on its way comes last; one that was taken out was there first. */
export function firstNight({ inStockOn, status }: DemoVehicle, nights: readonly Date[]): number {
  if (status === 'removed') return 0
  if (inStockOn === null) return LAST_NIGHT
  const found = nights.findIndex((night) => inStockOn <= dayOf(night))
  return found === -1 ? LAST_NIGHT : found
}

/**
 * What stands in the file of one night: the vehicles known by then without those that were taken out, and what goes wrong
 * at providers. In the last one the words that wait for somebody, a stranger's vehicles and rows that nobody can use.
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
  const words = feed.stranger === undefined ? [] : oddWords(stock, nights)
  const spelled = lines.map((cells) => ({
    ...cells,
    ...words.find(({ stock: one }) => one === cells.stock)?.says,
  }))
  const [doubled] = spelled
  if (night < LAST_NIGHT || doubled === undefined) return spelled
  return [
    ...spelled,
    ...strangersOf(feed, now),
    // Nobody could find it again.
    { ...doubled, vin: '', stock: '', price: 'Please Call' },
    // The provider sent it twice.
    { ...doubled, mileage: '0' },
    { cut: { ...doubled, vin: 'on order' }, after: 4 },
  ]
}

/** Nothing stands on a lot since a day after its file was made. */
function arrivedBy(cells: FeedCells, night: Date): FeedCells {
  const day = dayOf(night)
  return cells.inStockOn > day ? { ...cells, inStockOn: day } : cells
}

const dayOf = (night: Date): string => night.toISOString().slice(0, 10)

type OddWord = { stock: string; says: Partial<FeedCells> }

/** Words that the product has none for, on vehicles that are gone by now: what is offered reads well. */
function oddWords(stock: readonly Fed[], nights: readonly Date[]): OddWord[] {
  const gone = stock
    .map(({ vehicle }) => vehicle)
    .filter(({ status, locked }) => (status === 'sold' || status === 'archived') && locked.length === 0)
    .filter((vehicle) => vehicle.vin !== null && firstNight(vehicle, nights) < LAST_NIGHT)
  const says: Partial<FeedCells>[] = [
    ...times(4, { transmission: '10-SPD SelectShift' }),
    ...times(3, { transmission: 'SelectShift' }),
    ...times(2, { transmission: 'Atomatic' }),
    ...times(2, { genericColour: 'Meteorite' }),
  ]
  return says.flatMap((one, at) => {
    const stockNumber = gone[at]?.stock
    return stockNumber === undefined ? [] : [{ stock: stockNumber, says: one }]
  })
}

/** The vehicles of a dealer whom nobody knows, in words of their own. */
function strangersOf({ stranger }: DemoFeed, now: Date): FeedCells[] {
  if (stranger === undefined) return []
  const says: Partial<FeedCells>[] = [
    ...times(11, { transmission: 'SelectShift', make: 'Ford Truck' }),
    ...times(4, { transmission: 'Atomatic', make: 'Ford Truck' }),
    ...times(6, { genericColour: 'Meteorite', make: 'Ford Truck' }),
    { genericColour: 'Meteorite' },
    ...times(5, { body: 'Explorer' }),
    ...times(10, {}),
  ]
  const lot = { code: stranger, type: 'new' as const, makes: ['Ford'], vehicles: says.length * 8 }
  const chance = madeBy(stranger)
  const made = makeVehicles(lot, now).filter(({ vin }) => vin !== null)
  return says.map((one) => {
    const model = 'make' in one ? 'F-150' : 'Explorer'
    const of = made.filter((vehicle) => vehicle.model === model)
    const vehicle = chance.oneOf(of)
    made.splice(made.indexOf(vehicle), 1)
    return { ...cellsOf(vehicle, { dealer: stranger, night: LAST_NIGHT }), ...one }
  })
}

const times = (count: number, says: Partial<FeedCells>): Partial<FeedCells>[] =>
  Array.from({ length: count }, () => says)
