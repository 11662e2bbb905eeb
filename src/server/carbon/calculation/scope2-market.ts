import { convert } from '#contract/carbon/factors/convert.ts'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import { GAS_GROUPS } from '#contract/carbon/activity/ledger-schema.ts'
import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import { NO_GROUPS, type Purchase, type LineKey, type LineTrace } from './calculation-line.ts'

/**
 * The market-based line of scope 2: certificates, then the supplier rate, then the residual mix, and for the rest the
 * location-based factor, which is flagged. Certificates never cover more than the consumption.
 * @param location the location-based line of the same key.
 */
export function applyInstruments(
  key: LineKey,
  location: LineTrace,
  { purchase, units }: { purchase: Purchase | null; units: UnitTable },
): LineTrace {
  const market = { ...location, method: 'market' as const }
  const unit = units.byCode.get(key.unit ?? '')
  if (purchase === null || unit === undefined)
    return { ...market, flags: [...location.flags, 'no-instrument'] }
  const perUnitOf = (one: Purchase['instruments'][number]): Figure | null => {
    const converted = convert(units, { quantity: '1', from: { unit: unit.code }, to: { unit: one.unit } })
    return 'problem' in converted ? null : new Figure(one.kgCo2e).times(converted.quantity)
  }
  let open = new Figure(1)
  let instrumentKg = new Figure(0)
  const terms: string[] = []
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
    instrumentKg = instrumentKg.plus(used.times(rate))
    terms.push(`${showFigure(used.times(100), 8)}% from ${one.name} x ${showFigure(rate, 10)} kg CO2e`)
    flags.push('certificates')
  }
  const rest = ['supplier_rate', 'residual_mix']
    .map((kind) => purchase.instruments.find((one) => one.kind === kind && perUnitOf(one) !== null))
    .find((one) => one !== undefined)
  const restRate = rest === undefined ? null : perUnitOf(rest)
  if (rest !== undefined && restRate !== null && open.greaterThan(0)) {
    instrumentKg = instrumentKg.plus(open.times(restRate))
    terms.push(`${showFigure(open.times(100), 8)}% from ${rest.name} x ${showFigure(restRate, 10)} kg CO2e`)
    flags.push(rest.kind === 'supplier_rate' ? 'supplier-rate' : 'residual-mix')
    open = new Figure(0)
  }
  if (terms.length === 0) return { ...market, flags: [...location.flags, 'no-instrument'] }
  if (open.isZero())
    return finish(key, market, {
      co2e: instrumentKg,
      groups: { ...NO_GROUPS, undivided: plain(instrumentKg) },
      terms,
      flags,
    })
  // The part without instruments uses the location-based factor.
  if (location.co2e === null) return market
  const remaining = open.times(location.multiplier)
  const grouped = GAS_GROUPS.map((group) => {
    const own = location.groups[group]
    const counted = own === null ? null : new Figure(own).times(remaining)
    if (group !== 'undivided') return [group, counted === null ? null : plain(counted)]
    return [group, plain((counted ?? new Figure(0)).plus(instrumentKg))]
  })
  const remainingKg = new Figure(location.co2e).times(remaining)
  terms.push(`${showFigure(open.times(100), 8)}% at the location-based factor`)
  return {
    ...finish(key, market, {
      co2e: instrumentKg.plus(remainingKg),
      groups: { ...NO_GROUPS, ...Object.fromEntries(grouped) },
      terms,
      flags: [...location.flags, ...flags, 'no-instrument'],
    }),
    factorId: location.factorId,
    biogenic: plain(new Figure(location.biogenic).times(remaining)),
    other: plain(new Figure(location.other).times(remaining)),
  }
}

type MarketResult = { co2e: Figure; groups: LineTrace['groups']; terms: string[]; flags: string[] }

/** In the unit of the record, because each instrument has its own unit. */
function finish(key: LineKey, market: LineTrace, { co2e, groups, terms, flags }: MarketResult): LineTrace {
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
    formula: `{quantity} ${key.unit ?? ''} x (${terms.join(' + ')}) per ${key.unit ?? ''}{inclusion} = {result}.`,
    flags: [...new Set(flags)],
  }
}
