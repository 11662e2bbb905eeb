import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { productIn } from './column-roles.ts'
import { ELECTRIC } from './energy-units.ts'
import type { ImportContext, ImportSource } from './import-context.ts'
import type { ReadLine } from './read-line.ts'

/** Gas and water are measured in them; other fuels are liquid. */
const CUBIC = /^(hundred ft3|ft3|m3|yd3)$/
const OF_ENERGY: ReadonlySet<string> = new Set(['energy', 'volume', 'gas_volume_std', 'mass'])
const IS_FUEL = /^(mobile-)?combustion\//

/** Whether the energy of a source may be billed in a unit: electricity never in therms, natural gas never in gallons. */
export function isBilledIn(
  text: string,
  { activity, unit }: ImportSource,
  { units }: Pick<ImportContext, 'units'>,
): boolean {
  const read = readUnit(units, text)
  if (!('unit' in read) || !OF_ENERGY.has(read.unit.dimension)) return true
  const { code, dimension } = read.unit
  const isCubic = dimension === 'gas_volume_std' || CUBIC.test(code)
  if (activity.startsWith('electricity')) return ELECTRIC.test(code)
  if (!IS_FUEL.test(activity)) return true
  const own = units.byCode.get(unit)
  const isOfGas = activity.includes('natural-gas') || own?.dimension === 'gas_volume_std' || CUBIC.test(unit)
  return isOfGas ? isCubic || dimension === 'energy' : dimension === own?.dimension && !isCubic
}

/** Whether a unit is one of a source, for all that is known of it. */
function mayBeIn(text: string, source: ImportSource, { units }: Pick<ImportContext, 'units'>): boolean {
  const { activity, unit } = source
  if (activity.startsWith('electricity') || IS_FUEL.test(activity)) return isBilledIn(text, source, { units })
  const [asked, own] = [readUnit(units, text), units.byCode.get(unit)]
  return 'unit' in asked && asked.unit.dimension === own?.dimension
}

/**
 * A line in a unit, or of a product, that its source can't have is one of the only other source of the facility that can: gas in a
 * list of electricity, or propane in one of diesel. The preview says so.
 * @param word what says it @param unit that of the line, or ''
 * @returns whether the line has another source now
 */
export function moveToFitting(
  read: ReadLine,
  { word, unit, isProduct }: { word: string; unit: string; isProduct: boolean },
  context: ImportContext,
): boolean {
  const { source } = read
  // A name in the file that contradicts the unit is asked about.
  if (source === null || read.cells.source !== undefined) return false
  // Gas may be billed in kWh, so that its word alone is asked about.
  if (isProduct && !IS_FUEL.test(source.activity)) return false
  const fitting = context.sources.filter(
    (one) =>
      one.facilityId === source.facilityId &&
      one.id !== source.id &&
      one.activity !== source.activity &&
      (!isProduct || (IS_FUEL.test(one.activity) && productIn(word, one.activity) === 'own')) &&
      (unit === '' ? isProduct : mayBeIn(unit, one, context)),
  )
  const [only, ...more] = fitting
  if (only === undefined || more.length > 0) return false
  read.source = only
  read.problems.push({
    field: 'source',
    level: 'warning',
    message: `The line counts as ${sourceTitle(only)}, because it is “${word.slice(0, 80)}”.`,
  })
  return true
}

/** Whether the words of a column only say which source a line has, so that nothing is left to ask. */
export function namesSources(lines: readonly ReadLine[], place: number): boolean {
  const sources = new Map<string, Set<string>>()
  for (const { raw, source } of lines) {
    const word = raw[place]?.trim() ?? ''
    if (source !== null && word !== '') sources.set(word, (sources.get(word) ?? new Set()).add(source.id))
  }
  const each = [...sources.values()]
  const all = new Set(each.flatMap((own) => [...own]))
  return all.size > 1 && all.size === each.length && each.every(({ size }) => size === 1)
}
