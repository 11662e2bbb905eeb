import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { ALIASES, squeezeName } from './aliases.ts'
import { canonicalValue } from './canonical.ts'
import { type FeedRow, textOf, textsOf } from './source-row.ts'
import { guessValues, valuesContradict } from './guess-values.ts'
import { FEED_TARGETS, type FeedTarget, type FieldMapping } from './mapping.ts'
import { ruleColumns } from './rule-columns.ts'
import { unitOf } from './read-vehicle-value.ts'
import { suggestMake } from './vin-makes.ts'
import type { Match } from './match.ts'
import { matchCustom } from './match-custom.ts'
import { namedPublishers } from './valuation-publishers.ts'

type Candidate = {
  target: FeedTarget
  column: string
  at: number
  score: number
  rank: number
  reason: string
}

/** For each normalized name: the field, and the rank of the name among its aliases. */
const knownNames = new Map(
  FEED_TARGETS.flatMap((target) =>
    ALIASES[target]
      .split(' ')
      .filter((name) => name !== '')
      .map((name, rank): [string, { target: FeedTarget; rank: number }] => [name, { target, rank }]),
  ).toReversed(),
)

/** Fields that combine all matching columns. */
const COMBINED = new Set<FeedTarget>(['photos', 'options'])
/** Fields with fallback columns: the best name wins, and the others are used if it is empty. */
const WITH_FALLBACK = new Set<FeedTarget>([
  'price',
  'description',
  'stock',
  'colour',
  'engine',
  'transmission',
])

/**
 * Matches the columns of a feed to fields by their names and the values of its first rows. Each column is used once; a name
 * contradicted by its values is ignored.
 */
export function matchColumns(
  columns: readonly string[],
  rows: readonly FeedRow[],
  { today, own = [] }: { today: string; own?: readonly CustomField[] | undefined },
): Match[] {
  const candidates = columns.flatMap((column, at) => candidatesOf(column, at, { rows, today }))
  const order = candidates.toSorted(
    (one, other) => other.score - one.score || one.rank - other.rank || one.at - other.at,
  )
  const chosen = new Map<FeedTarget, Candidate[]>()
  const named = matchCustom(columns, own)
  // A custom field named like a column takes that column.
  const used = new Set(named.map(({ mapping }) => columnOf(mapping)))
  for (const candidate of order) {
    const { target, column, score } = candidate
    if (used.has(column)) continue
    const before = chosen.get(target)
    const joins = before !== undefined && score >= 0.6 && (COMBINED.has(target) || WITH_FALLBACK.has(target))
    if (before !== undefined && !joins) continue
    chosen.set(target, [...(before ?? []), candidate])
    used.add(column)
  }
  const matches = [...chosen].map(([target, found]) => matchOf(target, found, { columns, rows }))
  return [...matches, ...derivedMatches(matches, { columns, rows }), ...named]
}

function candidatesOf(
  column: string,
  at: number,
  { rows, today }: { rows: readonly FeedRow[]; today: string },
): Candidate[] {
  const values = rows.slice(0, 200).flatMap((row) => textsOf(row, column).slice(0, 3))
  const guesses = guessValues(values, today)
  const named = nameMatch(column)
  const found: Candidate[] = []
  if (named !== undefined) {
    const { target, rank } = named
    const guess = guesses.find((one) => one.target === target)
    if (!valuesContradict(target, values, today)) {
      const isEmpty = values.every((value) => value.trim() === '')
      let score = guess === undefined ? 0.9 : 0.98
      let reason = guess === undefined ? 'Column name' : `Column name and values (${guess.seen})`
      if (isEmpty) [score, reason] = [0.7, 'Column name; no values in these rows']
      found.push({ target, column, at, score: score - Math.min(rank, 20) / 500, rank, reason })
    }
  }
  for (const { target, share, seen } of guesses) {
    if (target === named?.target || share < 0.6) continue
    const strength = DISTINCTIVE.has(target) ? 0.9 : 0.65
    // A column name that means something else outweighs values that merely could be this field.
    if (named !== undefined && (found.length > 0 || !isConvincing(target, share))) continue
    found.push({ target, column, at, score: share * strength, rank: 50, reason: `Values (${seen})` })
  }
  return found
}

/** Whether values can override a column name that they contradict. */
function isConvincing(target: FeedTarget, share: number): boolean {
  return DISTINCTIVE.has(target) || target === 'trim' || share >= 0.9
}

/** Fields whose values look like nothing else. */
const DISTINCTIVE = new Set<FeedTarget>(['vin', 'photos', 'make', 'year', 'condition', 'mileage'])

function nameMatch(column: string): { target: FeedTarget; rank: number } | undefined {
  const whole = knownNames.get(squeezeName(column))
  if (whole !== undefined) return whole
  const parts = column.split(/[.@/]/).filter((part) => !/^\d+$/.test(part))
  const isOfDealer = parts.slice(0, -1).some((part) => /dealer|seller|address|store|contact/i.test(part))
  if (parts.length > 1 && isOfDealer)
    return /dealer/i.test(column) && /\.(id|code)$/i.test(column) ? { target: 'dealer', rank: 1 } : undefined
  const last = parts.length > 1 ? squeezeName(parts.at(-1) ?? '') : ''
  const first = parts.length > 1 ? squeezeName(parts[0] ?? '') : ''
  if (/^(image|photo|picture|media)/.test(first) && /(url|link|links|src|image)$/.test(last))
    return { target: 'photos', rank: 2 }
  const found =
    knownNames.get(last) ??
    (last === 'value' || last === 'name' || last === 'amount' ? knownNames.get(first) : undefined)
  if (found !== undefined) return { ...found, rank: found.rank + 5 }
  // `Photo Url 1`, `image_12`.
  const numbered = knownNames.get(squeezeName(column).replace(/\d+$/, ''))
  return numbered !== undefined && COMBINED.has(numbered.target)
    ? { ...numbered, rank: numbered.rank + 3 }
    : undefined
}

function matchOf(
  target: FeedTarget,
  own: readonly Candidate[],
  { columns, rows }: { columns: readonly string[]; rows: readonly FeedRow[] },
): Match {
  const [first] = own
  const names = own
    .toSorted((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ column }) => column)
  const [name = ''] = names
  const kind = COMBINED.has(target) ? ('allOf' as const) : ('firstOf' as const)
  const source: FieldMapping['source'] =
    names.length > 1
      ? { kind, columns: kind === 'allOf' ? inOrder(own) : names.slice(0, 20) }
      : { kind: 'column', column: name }
  const mapping: FieldMapping = { source }
  if (target === 'mileage') Object.assign(mapping, unitFor(name, { columns, rows }))
  if (target === 'inStockOn' && isCount(name, rows)) mapping.dates = ['daysAgo']
  return { target, mapping, confidence: Math.min(0.99, first?.score ?? 0), reason: first?.reason ?? '' }
}

function inOrder(own: readonly Candidate[]): string[] {
  return own.toSorted((one, other) => one.at - other.at).map(({ column }) => column)
}

function isCount(column: string, rows: readonly FeedRow[]): boolean {
  const full = rows.map((row) => textOf(row, column)).filter((text) => text !== '')
  return full.length > 0 && full.every((text) => /^\d{1,4}$/.test(text))
}

/** The unit of a mileage, from a unit column or from the name of its own column. */
function unitFor(
  name: string,
  { columns, rows }: { columns: readonly string[]; rows: readonly FeedRow[] },
): Pick<FieldMapping, 'unit' | 'unitColumn'> {
  const unitColumn = columns.find(
    (column) =>
      /(unit|uom)/i.test(column) &&
      /mile|odo|dist|km/i.test(column) &&
      rows.some((row) => unitOf(textOf(row, column)) !== null),
  )
  if (unitColumn !== undefined) return { unitColumn }
  if (/km|kilom/i.test(name)) return { unit: 'km' }
  return /\bmi\b|miles/i.test(name.replace(/([a-z])([A-Z])/g, '$1 $2')) ? { unit: 'mi' } : {}
}

/** Matches derived from others: the make from VINs, the publisher of a valuation, and certified used cars. */
function derivedMatches(
  matches: readonly Match[],
  { columns, rows }: { columns: readonly string[]; rows: readonly FeedRow[] },
): Match[] {
  const find = (target: FeedTarget) => matches.find((one) => one.target === target)
  const more: Match[] = namedPublishers(find)
  const vin = find('vin')
  if (find('make') === undefined && vin?.mapping.source.kind === 'column') {
    const { column } = vin.mapping.source
    const make = suggestMake(rows.map((row) => textOf(row, column)))
    if (make !== null) {
      const mapping: FieldMapping = { source: { kind: 'constant', value: make.name } }
      more.push({
        target: 'make',
        mapping,
        confidence: make.share * 0.9,
        reason: 'No make column; the VINs belong to this make',
      })
    }
  }
  const [condition, certified] = [find('condition'), find('certification')]
  if (condition?.mapping.source.kind === 'column' && certified?.mapping.source.kind === 'column') {
    const names = new Map(ruleColumns(columns).map(({ column, name }) => [column, name]))
    const type = names.get(condition.mapping.source.column)
    const flag = names.get(certified.mapping.source.column)
    const isUsed = rows.some(
      (row) => canonicalValue('condition', textOf(row, columnOf(condition.mapping))) === 'used',
    )
    const isFlag = rows.every((row) =>
      /^(0|1|y|n|yes|no|true|false|)$/i.test(textOf(row, columnOf(certified.mapping))),
    )
    if (type !== undefined && flag !== undefined && isUsed && isFlag) {
      const rule = `${flag} in ["1", "true", "yes", "y"] && !${type}.startsWith("n") ? "cpo" : ${type}`
      condition.mapping = { source: { kind: 'rule', rule } }
      condition.reason = `${condition.reason}; certified according to ${flag}`
    }
  }
  return more
}

function columnOf({ source }: FieldMapping): string {
  return source.kind === 'column' ? source.column : ''
}
