import { WORTHS } from '#contract/inventory/vehicle-fields.ts'
import type { NewVehicle } from '#server/inventory/index.ts'
import { type Chance, madeBy } from './chance.ts'

const DAY = 86_400_000

/**
 * What publishers say the used vehicles of a demo lot are worth: a market price of the last days for most, a book value of
 * the first of the month for many. They come with the feed. Draws of its own, as describeVehicle.
 */
export function withWorths(vehicles: readonly NewVehicle[], now: Date): NewVehicle[] {
  const chance = madeBy(`worth of ${vehicles[0]?.stock}`)
  return vehicles.map((vehicle) => {
    const { condition, priceCents } = vehicle
    const isUsed = condition === 'used' || condition === 'cpo'
    if (!isUsed || priceCents === null) return vehicle
    return stamped({
      ...vehicle,
      ...marketOf(priceCents, { chance, now }),
      ...bookOf(priceCents, { chance, now }),
    })
  })
}

type Drawing = { chance: Chance; now: Date }

const around = (cents: number, share: number): number => Math.round((cents * share) / 2_500) * 2_500

function marketOf(cents: number, { chance, now }: Drawing): Partial<NewVehicle> {
  const share = 0.94 + chance.upTo(0.1)
  const days = chance.whole(1, 16)
  if (chance.happens(0.15)) return {}
  return {
    marketPriceCents: around(cents, share),
    marketPriceSource: 'Manheim MMR',
    marketPriceOn: new Date(now.getTime() - days * DAY).toISOString().slice(0, 10),
  }
}

function bookOf(cents: number, { chance, now }: Drawing): Partial<NewVehicle> {
  const share = 0.88 + chance.upTo(0.1)
  if (chance.happens(0.35)) return {}
  return {
    bookValueCents: around(cents, share),
    bookValueSource: 'J.D. Power',
    bookValueOn: `${now.toISOString().slice(0, 7)}-01`,
  }
}

/** Written by the feed that wrote the rest. */
function stamped(vehicle: NewVehicle): NewVehicle {
  const known = new Map(Object.entries(vehicle))
  const written = WORTHS.flatMap(({ amount, source, on }) =>
    (known.get(`${amount}Cents`) ?? null) === null ? [] : [amount, source, on],
  )
  const provenance = vehicle.provenance?.map((stamp) =>
    stamp.source === 'feed' ? { ...stamp, fields: [...stamp.fields, ...written] } : stamp,
  )
  return provenance === undefined ? vehicle : { ...vehicle, provenance }
}
