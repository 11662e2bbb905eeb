import { columnCurrency } from './read-feed-number.ts'
import { type CustomField, isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { VEHICLE_FIELDS, VALUATIONS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { ALIASES, squeezeName } from './aliases.ts'
import { type FeedRow, textOf, textsOf } from './source-row.ts'
import { guessValues, valuesContradict } from './guess-values.ts'
import { isSoldColumn } from './feed-status.ts'
import { columnsOf, FEED_TARGETS, type FeedMapping, type FeedTarget, type FieldMapping } from './mapping.ts'
import { readAddresses } from './read-texts.ts'
import { type Candidate, relatedCandidates } from './related-columns.ts'
import { ruleColumns } from './rule-columns.ts'
import { unitOf } from './read-vehicle-value.ts'
import { suggestMake } from './vin-makes.ts'
import type { Match } from './match.ts'
import { matchCustom } from './match-custom.ts'

/** Publishers of market prices and book values, recognized by the start of their column names. */
const PUBLISHERS: readonly (readonly [begins: RegExp, name: string])[] = [
  [/^(manheim)?mmr|^manheim/, 'Manheim MMR'],
  [/^kbb|^kelley/, 'Kelley Blue Book'],
  [/^jdpower|^nada/, 'J.D. Power'],
  [/^blackbook/, 'Black Book'],
  [/^galves/, 'Galves'],
]

/** The publisher of a valuation, taken from the name of its column if no other column gives it. */
function namedPublishers(find: (target: FeedTarget) => Match | undefined): Match[] {
  return VALUATIONS.flatMap(({ amount, source }): Match[] => {
    const match = find(amount)
    if (match?.mapping.source.kind !== 'column' || find(source) !== undefined) return []
    const { column } = match.mapping.source
    const publisher = PUBLISHERS.find(([begins]) => begins.test(squeezeName(column)))
    if (publisher === undefined) return []
    return [
      {
        target: source,
        mapping: { source: { kind: 'constant', value: publisher[1] } },
        confidence: match.confidence,
        reason: `Publisher named in column ${column}`,
      },
    ]
  })
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
const COMBINED = new Set<FeedTarget>(['photos', 'options', 'status'])
/** Fields read from one column only: a second one may have another unit, another format or another meaning. */
const SINGLE = new Set<FeedTarget>(['mileage', 'inStockOn', 'condition', 'certification'])

/**
 * Matches the columns of a feed to fields by their names, and the columns whose names mean nothing by their values. Each column
 * is used once; a name contradicted by its values is ignored. Which rows are given, and in which order, matters only for columns
 * without a known name.
 * @param all the columns of the file. @param known those of a recognized provider: they are what their names say, whatever their values are.
 */
export function matchColumns(
  all: readonly string[],
  rows: readonly FeedRow[],
  {
    today,
    own = [],
    known = new Set(),
  }: { today: string; own?: readonly CustomField[] | undefined; known?: ReadonlySet<string> },
): Match[] {
  // Without make and model of their own, they are read from the name of the vehicle.
  const isNameOnly = !['Make', 'Model'].some((name) => all.includes(name))
  const isCalculated = (name: string) => CALCULATED.has(titleOf(name)) || (name === 'Vehicle' && !isNameOnly)
  const columns = isOwnExport(all, own) ? all.filter((name) => !isCalculated(name)) : all
  const named = matchCustom(columns, own)
  const sample = rows.slice(0, SAMPLE_ROWS)
  const candidates = columns.flatMap((column, at) =>
    known.has(column) ? knownCandidate(column, at) : candidatesOf(column, at, { rows: sample, today }),
  )
  const unnamed = columns.filter(
    (column) => !known.has(column) && nameMatch(column) === undefined && !isNoField(column),
  )
  const order = [
    ...candidates,
    ...relatedCandidates(unnamed, { columns, rows: sample, candidates }),
  ].toSorted((one, other) => other.score - one.score || one.rank - other.rank || one.at - other.at)
  const chosen = new Map<FeedTarget, Candidate[]>()
  // A custom field named like a column takes that column.
  const used = new Set(named.map(({ mapping }) => columnOf(mapping)))
  for (const candidate of order) {
    const { target, column } = candidate
    if (used.has(column)) continue
    const before = chosen.get(target) ?? []
    if (before.length > 0 && !isAlsoUsed(candidate, before, sample)) continue
    chosen.set(target, [...before, candidate])
    used.add(column)
  }
  const matches = [...chosen].map(([target, found]) => matchOf(target, found, { columns, rows: sample }))
  const lots = columns.includes('Lot') && isOwnExport(all, own) ? [LOTS] : []
  return [...matches, ...derivedMatches(matches, { columns, rows: sample }), ...named, ...lots]
}

/** Our own exports name the lot of each vehicle. */
const LOTS: Match = {
  target: 'dealer',
  mapping: { source: { kind: 'column', column: 'Lot' } },
  confidence: 1,
  reason: 'Column name',
}

/** "Changed (America/Los_Angeles)" is Changed. */
const titleOf = (column: string): string => column.replace(/ \([^()]*\)$/, '')

const OWN_TITLES: ReadonlySet<string> = new Set(Object.values(VEHICLE_LIST.fields).map(({ title }) => title))
/** What our own exports calculate from other fields, or say about them. */
const CALCULATED: ReadonlySet<string> = new Set([
  'Changed',
  'Changed by',
  'Days',
  'Selling price',
  'Total price',
  'Last price from feed',
  'Price set by',
  'Price decision',
  'Completeness',
  'Not published because',
])

/** Names of columns that only our own exports have. */
const DISTINCT: ReadonlySet<string> = new Set([
  'Price before rules',
  'Total price',
  'Last price from feed',
  'Price set by',
  'Price decision',
  'Completeness',
  'Not published because',
  'In stock since',
  'Market price source',
  'Market price as of',
  'Book value source',
  'Book value as of',
])

const isOwnOnly = (column: string): boolean =>
  column === 'Vehicle' ||
  DISTINCT.has(column) ||
  (titleOf(column) === 'Changed' && titleOf(column) !== column)

/** Whether a file is an export of our list of vehicles, whatever columns it has. */
export const isOwnExport = (columns: readonly string[], own: readonly CustomField[]): boolean =>
  columns.some(isOwnOnly) &&
  columns.every((one) => OWN_TITLES.has(titleOf(one)) || own.some(({ name }) => name === one))

/** How many rows the values of a column are judged by. */
const SAMPLE_ROWS = 500

/** Whether a further column of a field is used too: combined in a list, or as a fallback where the first one is empty. */
function isAlsoUsed(
  { target, column, rank }: Candidate,
  before: readonly Candidate[],
  rows: readonly FeedRow[],
) {
  if (SINGLE.has(target) || rank >= BY_VALUES) return false
  // Amounts in two currencies are no fallback for each other.
  if ([column, ...before.map((one) => one.column)].some((name) => columnCurrency(name) !== null)) return false
  // Beside a badge, the series is the code of a platform, such as P702.
  if (squeezeName(column) === 'series' && before.some((one) => squeezeName(one.column) === 'badge'))
    return false
  if (target !== 'photos') return before.every((one) => one.rank < BY_VALUES)
  // Two columns with whole lists have the same pictures twice: the originals, and cached or smaller copies.
  const isList = (name: string) => rows.some((row) => readAddresses(textsOf(row, name)).length > 1)
  return !isCopy(column) && !(isList(column) && before.some((one) => isList(one.column)))
}

/** Whether a column has cached or smaller copies of pictures. */
const isCopy = (column: string): boolean => /cache|thumb|small|mini|preview|low.?res/i.test(column)

/** The rank of matches by values: below that of every name. */
const BY_VALUES = 50

/** The name match of a column that the template of its provider knows. */
function knownCandidate(column: string, at: number): Candidate[] {
  const named = nameMatch(column)
  if (named === undefined) return []
  const { target, rank } = named
  return [{ target, column, at, score: 0.95 - rank / 500, rank, reason: 'Column name' }]
}

function candidatesOf(
  column: string,
  at: number,
  { rows, today }: { rows: readonly FeedRow[]; today: string },
): Candidate[] {
  const values = rows.flatMap((row) => textsOf(row, column).slice(0, 3))
  const named = nameMatch(column)
  if (isNoField(column)) return []
  // A column named `sold` has a flag, which is no status by itself.
  const isFlag = named?.target === 'status' && isSoldColumn(column)
  if (named !== undefined && (isFlag || !valuesContradict(named.target, values, today))) {
    const { target, rank } = named
    const seen = guessValues(values, today).find((one) => one.target === target)?.seen
    const reason = values.every((value) => value.trim() === '')
      ? 'Column name; no values in these rows'
      : `Column name${seen === undefined ? '' : ` and values (${seen})`}`
    // Copies of pictures are used only where there are no others.
    const score = target === 'photos' && isCopy(column) ? 0.7 : 0.98 - rank / 500
    return [{ target, column, at, score, rank, reason }]
  }
  return guessValues(values, today).flatMap(({ target, share, seen }): Candidate[] => {
    if (target === named?.target || share < 0.6) return []
    const strength = DISTINCTIVE.has(target) ? 0.9 : 0.65
    // A column name that means something else outweighs values that merely could be this field.
    if (named !== undefined && !isConvincing(target, share)) return []
    return [{ target, column, at, score: share * strength, rank: BY_VALUES, reason: `Values (${seen})` }]
  })
}

/** Names of columns that belong to no field, however their values look: headlines repeat the words of many fields. */
const NO_FIELD = new Set(
  'totalprice changed lastchanged modified lastmodified updated lastupdated updatedat title heading headline name vehiclename vehicletitle adtitle subtitle tagline slug keywords dealerphone phone email address city state region province country zip postalcode latitude longitude videourl'.split(
    ' ',
  ),
)

/** "Changed (America/Los_Angeles)" says when a record was changed, and nothing about the vehicle. */
const isNoField = (column: string): boolean => NO_FIELD.has(squeezeName(titleOf(column)))

/** Whether values can override a column name that they contradict. */
function isConvincing(target: FeedTarget, share: number): boolean {
  return DISTINCTIVE.has(target) || target === 'trim' || share >= 0.9
}

/** Fields whose values look like nothing else. */
const DISTINCTIVE = new Set<FeedTarget>(['vin', 'photos', 'make', 'year', 'condition', 'mileage'])

function nameMatch(column: string): { target: FeedTarget; rank: number } | undefined {
  const whole = knownNames.get(squeezeName(column))
  if (whole !== undefined) return whole
  // "Internet $"
  const priced = column.includes('$') ? knownNames.get(`${squeezeName(column)}price`) : undefined
  if (priced !== undefined) return priced
  const bare = columnCurrency(column)
  const amount = bare === null ? undefined : knownNames.get(squeezeName(bare.name))
  if (amount !== undefined && isMoney(amount.target)) return { ...amount, rank: amount.rank + 2 }
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
  if (isMileageName(column)) return { target: 'mileage', rank: 20 }
  if (isStatusName(column)) return { target: 'status', rank: 20 }
  // `Photo Url 1`, `image_12`.
  const numbered = knownNames.get(squeezeName(column).replace(/\d+$/, ''))
  return numbered !== undefined && COMBINED.has(numbered.target)
    ? { ...numbered, rank: numbered.rank + 3 }
    : undefined
}

/** "Miles Reading", "Current Odometer": a name with the word, unless it is about its unit, its use of fuel or a limit. */
const isMileageName = (column: string): boolean =>
  /(^|[^a-z])(odometer|odo|mileage|miles)([^a-z]|$)/i.test(column.replace(/([a-z])([A-Z])/g, '$1 $2')) &&
  !/unit|uom|type|status|city|highway|hwy|mpg|gallon|econom|warrant|date|rating|range|per|ev|electric|service|limit|max|lease|allow|cost|price/i.test(
    column,
  )

/** Whether the name of a column is known, so that a line with several of them is a header. */
export const isKnownColumn = (column: string): boolean =>
  column.length <= 60 && nameMatch(column) !== undefined

/** Whether the name of a column says that it has the status of the vehicle, and not that of its title, its photos or its warranty. */
const isStatusName = (column: string): boolean =>
  isSoldColumn(column) ||
  (/status/i.test(column) &&
    !/title|recall|certif|photo|image|picture|video|media|warrant|condition|payment|regist|emission|smog|inspect|export|import|price|pricing|finance|lien|key|dealer|seller|ad status|lead|descri|window|carfax|autocheck|history|new|used|odometer|mileage/i.test(
      column,
    ))

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
  if (isMoney(target)) Object.assign(mapping, currencyFor(name, columns))
  if (target === 'inStockOn' && isCount(name, rows)) mapping.dates = ['daysAgo']
  return { target, mapping, confidence: Math.min(0.99, first?.score ?? 0), reason: first?.reason ?? '' }
}

function inOrder(own: readonly Candidate[]): string[] {
  return own.toSorted((one, other) => one.at - other.at).map(({ column }) => column)
}

/** Names of columns that count the days in stock instead of giving a date. */
const COUNTS = new Set('daysinstock age daysininventory dom daysonlot standtage'.split(' '))

function isCount(column: string, rows: readonly FeedRow[]): boolean {
  if (COUNTS.has(squeezeName(column.split(/[.@/]/).at(-1) ?? ''))) return true
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

const isMoney = (target: FeedTarget): boolean =>
  target !== 'dealer' &&
  target !== 'status' &&
  !isCustomFieldName(target) &&
  VEHICLE_FIELDS[target].kind === 'money'

/** The column with the currency of an amount: `price@currency`, `price.currency`, `Price Currency`, or one for all amounts. */
/** A mapping that also reads the currency column of the file, which may be new, for amounts that have none. */
export function withCurrencyColumn(mapping: FeedMapping, columns: readonly string[]): FeedMapping {
  const fields = { ...mapping.fields }
  for (const target of FEED_TARGETS) {
    const field = fields[target]
    if (field === undefined || !isMoney(target) || field.currencyColumn !== undefined) continue
    const [name] = columnsOf(field)
    if (name !== undefined) fields[target] = { ...field, ...currencyFor(name, columns) }
  }
  return { ...mapping, fields }
}

function currencyFor(name: string, columns: readonly string[]): Pick<FieldMapping, 'currencyColumn'> {
  const start = squeezeName(name.replace(/[.@]?(value|amount)$/i, ''))
  const names = [`${start}currency`, `${start}currencycode`, 'currency', 'currencycode', 'pricecurrency']
  const currencyColumn = names
    .map((one) => columns.find((column) => squeezeName(column) === one))
    .find((one) => one !== undefined)
  return currencyColumn === undefined ? {} : { currencyColumn }
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
    // Whether the flag is ever set in these rows says nothing about the rest of the file, or about tomorrow's.
    if (type !== undefined && flag !== undefined) {
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
