import { convert } from '#contract/carbon/factors/convert.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { GAS_GROUPS } from '#contract/carbon/results/ledger-schema.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import { NO_GROUPS, type Purchase, type LineKey, type LineTrace } from './calculation-line.ts'

/**
 * The market-based line of scope 2: certificates, then the supplier's rate, then the residual mix, and only then the
 * factor of the place, which is said. Certificates never cover more than was used.
 * @param place the location-based line of the same key.
 */
export function buy(
  key: LineKey,
  place: LineTrace,
  { purchase, units }: { purchase: Purchase | null; units: UnitTable },
): LineTrace {
  const market = { ...place, method: 'market' as const }
  const unit = units.byCode.get(key.unit ?? '')
  if (purchase === null || unit === undefined) return { ...market, flags: [...place.flags, 'no-instrument'] }
  const perUnitOf = (one: Purchase['instruments'][number]): Figure | null => {
    const converted = convert(units, { quantity: '1', from: { unit: unit.code }, to: { unit: one.unit } })
    return 'problem' in converted ? null : new Figure(one.kgCo2e).times(converted.quantity)
  }
  let open = new Figure(1)
  let bought = new Figure(0)
  const words: string[] = []
  const flags: string[] = []
  for (const one of purchase.instruments.filter(({ kind }) => kind === 'certificate')) {
    const rate = perUnitOf(one)
    const base = units.byCode.get(one.unit)
    if (rate === null || base === undefined || base.dimension !== unit.dimension) continue
    const covered = new Figure(one.quantity ?? 0).times(base.toBase)
    const isNothing = new Figure(purchase.consumption).isZero()
    const share = isNothing ? new Figure(0) : covered.div(purchase.consumption)
    if (share.greaterThan(open)) flags.push('certificates-left-over')
    const used = Figure.min(share, open)
    open = open.minus(used)
    bought = bought.plus(used.times(rate))
    words.push(`${showFigure(used.times(100), 8)} % by ${one.name} x ${showFigure(rate, 10)} kg CO2e`)
    flags.push('certificates')
  }
  const rest = ['supplier_rate', 'residual_mix']
    .map((kind) => purchase.instruments.find((one) => one.kind === kind && perUnitOf(one) !== null))
    .find((one) => one !== undefined)
  const restRate = rest === undefined ? null : perUnitOf(rest)
  if (rest !== undefined && restRate !== null && open.greaterThan(0)) {
    bought = bought.plus(open.times(restRate))
    words.push(`${showFigure(open.times(100), 8)} % by ${rest.name} x ${showFigure(restRate, 10)} kg CO2e`)
    flags.push(rest.kind === 'supplier_rate' ? 'supplier-rate' : 'residual-mix')
    open = new Figure(0)
  }
  if (words.length === 0) return { ...market, flags: [...place.flags, 'no-instrument'] }
  if (open.isZero())
    return finish(key, market, {
      co2e: bought,
      groups: { ...NO_GROUPS, undivided: plain(bought) },
      words,
      flags,
    })
  // The part that nothing was bought for goes by the place.
  if (place.co2e === null) return market
  const ofPlace = open.times(place.multiplier)
  const grouped = GAS_GROUPS.map((group) => {
    const own = place.groups[group]
    const counted = own === null ? null : new Figure(own).times(ofPlace)
    if (group !== 'undivided') return [group, counted === null ? null : plain(counted)]
    return [group, plain((counted ?? new Figure(0)).plus(bought))]
  })
  const restOfPlace = new Figure(place.co2e).times(ofPlace)
  words.push(`${showFigure(open.times(100), 8)} % by the factor of the place`)
  return {
    ...finish(key, market, {
      co2e: bought.plus(restOfPlace),
      groups: { ...NO_GROUPS, ...Object.fromEntries(grouped) },
      words,
      flags: [...place.flags, ...flags, 'no-instrument'],
    }),
    factorId: place.factorId,
    biogenic: plain(new Figure(place.biogenic).times(ofPlace)),
    other: plain(new Figure(place.other).times(ofPlace)),
  }
}

type Bought = { co2e: Figure; groups: LineTrace['groups']; words: string[]; flags: string[] }

/** In the unit of the bill: each instrument has a unit of its own. */
function finish(key: LineKey, market: LineTrace, { co2e, groups, words, flags }: Bought): LineTrace {
  return {
    ...market,
    factorId: null,
    multiplier: '1',
    co2e: plain(co2e),
    groups,
    biogenic: '0',
    other: '0',
    conversion: null,
    problem: null,
    formula: `{quantity} ${key.unit ?? ''} x (${words.join(' + ')}) per ${key.unit ?? ''}{inclusion} = {result}.`,
    flags: [...new Set(flags)],
  }
}
