import { sql } from 'kysely'
import type { Selection } from '#contract/lists/selection.ts'
import {
  type BulkPrice,
  type BulkPricePreview,
  KEPT_PRICE_REASONS,
  MAX_NAMED_KEPT,
  MAX_NAMED_PRICES,
} from '#contract/vehicles/vehicles/bulk-prices.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { noneFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { widened } from '#server/lists/list-source.ts'
import { chosenRows } from '#server/queue/start-job.ts'
import { type BulkEffect, readBulkEffect } from './bulk-prices.ts'
import { readPriceLimits } from './price-limits.ts'
import { type BeforeAfter, movesOpposite, type PriceEffect, type VehiclePrices } from './vehicle-prices.ts'
import { vehicleSource } from './vehicles.ts'

/** Vehicles that are read at once. */
const BATCH = 5_000

/** What a bulk change of prices would do, by the function that starts the change. */
export function previewPricesHandlers(
  prices: VehiclePrices,
): Pick<Handlers<typeof vehicles>, 'previewPrices'> {
  return {
    async previewPrices({ db, actor, input: { selection, price } }) {
      return describeEffect(
        await readEffectOf(db, actor, prices, { selection, price }),
        (await readPriceLimits(db, actor.customerId)).currency,
      )
    },
  }
}

async function readEffectOf(
  db: Database,
  actor: Member,
  prices: VehiclePrices,
  { selection, price }: { selection: Selection; price: BulkPrice },
): Promise<BulkEffect> {
  const source = await widened(db, actor, vehicleSource)
  const chosen = chosenRows(source, actor, selection)
  const nextIds = async (after: string): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      select ${source.id}::text as id from ${source.from} where ${chosen} and ${source.id} > ${after}::bigint
      order by ${source.id} limit ${sql.lit(BATCH)}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const missing = 'ids' in selection ? await countMissing(db, actor, selection.ids) : 0
  return readBulkEffect(db, actor, { prices, price, missing, nextIds })
}

/** How many selected vehicles are gone or out of reach. @throws Failure 404 if all are */
async function countMissing(db: Database, { customerId }: Member, ids: readonly string[]): Promise<number> {
  const chosen = new Set(ids)
  const { rows } = await sql<{ found: number }>`select count(*)::int as found from vehicles v
    where v.customer_id = ${customerId} and v.id = any(${[...chosen]}::bigint[])`.execute(db)
  const found = rows[0]?.found ?? 0
  if (found === 0) throw noneFound(VEHICLE_LIST.nouns[1])
  return chosen.size - found
}

function describeEffect(
  { seen, selected, effects, titles, kept }: BulkEffect,
  currency: string,
): BulkPricePreview {
  const opposite = effects.filter(movesOpposite)
  const named = (some: readonly PriceEffect[]) =>
    some
      .toSorted((one, other) => Math.abs(changeOf(other.own)) - Math.abs(changeOf(one.own)))
      .slice(0, MAX_NAMED_PRICES)
      .map(({ vehicleId, own, total }) => ({
        vehicleId,
        title: titles.get(vehicleId) ?? '',
        ...own,
        totalBeforeCents: total.beforeCents,
        totalAfterCents: total.afterCents,
      }))
  return {
    currency,
    seen,
    selected,
    lowered: effects.filter(({ own }) => changeOf(own) < 0).length,
    raised: effects.filter(({ own }) => changeOf(own) > 0).length,
    kept: KEPT_PRICE_REASONS.flatMap(({ value }) => {
      const found = kept.get(value) ?? []
      const listed = found.filter((title) => title !== '').slice(0, MAX_NAMED_KEPT)
      return found.length === 0 ? [] : [{ reason: value, vehicles: found.length, titles: listed }]
    }),
    prices: sumOf(effects.map(({ own }) => own)),
    totals: sumOf(effects.map(({ total }) => total)),
    opposite: { vehicles: opposite.length, named: named(opposite) },
    largest: named(effects),
  }
}

const changeOf = ({ beforeCents, afterCents }: BeforeAfter): number => afterCents - beforeCents

const sumOf = (some: readonly BeforeAfter[]): BeforeAfter => ({
  beforeCents: some.reduce((sum, { beforeCents }) => sum + beforeCents, 0),
  afterCents: some.reduce((sum, { afterCents }) => sum + afterCents, 0),
})
