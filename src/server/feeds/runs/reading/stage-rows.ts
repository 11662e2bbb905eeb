import { sql } from 'kysely'
import { foldCase } from '#contract/expressions/fold-case.ts'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'
import type { VehicleFieldName } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import type { FeedStatus } from '#contract/feeds/mappings/feed-status.ts'
import { isSameNumber } from '#contract/feeds/mappings/read-vehicle-value.ts'
import { hasFingerprint, NO_NUMBER, UNKNOWN_STATUS } from '#contract/feeds/mappings/map-row.ts'
import { MAX_REFUSED, NO_LOT } from '#contract/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import {
  compareRow,
  type Difference,
  type MileageQuestion,
  mileageQuestionOf,
  newVehicle,
  type PriceQuestion,
  priceQuestionOf,
  sourcePriceOf,
  vinContradiction,
} from './compare-row.ts'
import { asText, fingerprintOf, namesIn, titleOf, type VehicleValues } from './feed-values.ts'
import { findVehicles, type FoundVehicle, type VehicleQuery } from './find-vehicles.ts'
import { type NumberTable, numberTable } from './number-table.ts'
import {
  findAnswered,
  findOthers,
  findStockOwners,
  findWithZeros,
  nameOf,
  type OtherVehicle,
} from './other-vehicles.ts'
import { countKept, GONE, GONE_REASONS, isGone, keptSentence, keptStatus, newStatus } from './row-status.ts'
import type { ComparedRow, ParsedRow, Staging } from './staging.ts'
import type { ImportStats } from './import-stats.ts'

/**
 * What earlier rows contained: the line of each VIN and stock number, the vehicles they matched, and the rows that have to wait:
 * only the whole file tells whether they are for the vehicle that their stock number suggests.
 */
export type SeenRows = {
  vins: NumberTable
  stocks: NumberTable
  seen: NumberTable
  /** The stock numbers of rows with a VIN. */
  ofVins: NumberTable
  /** What other rows with the same stock number and no VIN say. */
  repeats: Map<string, Set<string>>
  waiting: ParsedRow[]
  isNumbered: boolean
}

export const noSeenRows = (): SeenRows => ({
  vins: numberTable(),
  stocks: numberTable(),
  seen: numberTable(),
  ofVins: numberTable(),
  repeats: new Map(),
  waiting: [],
  isNumbered: false,
})

export type StagedRow = {
  kind: 'new' | 'changed' | 'missing' | 'refused' | 'same' | 'leftOut'
  line: number | null
  lotId: string | null
  vehicleId: string | null
  title: string
  vin: string | null
  stock: string | null
  dealer: string | null
  raw: string | null
  reasons: readonly string[]
  warnings: readonly string[]
  rowFingerprint: string | null
  after: VehicleValues
  before: VehicleValues
  fromVin: readonly VehicleFieldName[]
  locked: readonly AnyFieldName[]
  changesPrice: boolean
  /** What the source sends as the price, in cents; 0: none. Null: its feed has no price. */
  sourcePriceCents: number | null
  question: PriceQuestion | null
  mileage: MileageQuestion | null
  toStatus: string | null
  /** The status that a person gave, and that `toStatus` replaces. */
  overStatus: string | null
  /** The lot to which the vehicle moves. */
  toLotId: string | null
}

const NOTHING: Difference = { after: {}, before: {}, fromVin: [], locked: [] }
const UNCHANGED = { ...NOTHING, toStatus: null, overStatus: null, question: null, mileage: null }
/** How many rows can wait for the end of the file. Further ones are rejected. */
const MAX_WAITING = 20_000

/** What the rows of a batch are about: their vehicles, and others that they may be about. */
async function findCandidates(db: Database, staging: Staging, rows: readonly ParsedRow[]) {
  const candidates = rows.map((row, place) => candidateOf(row, place, staging))
  // Without a lot in the row and one that a person chose, its vehicle may be on any lot if it is on one only.
  const isForAnyLot = (lot: ComparedRow['lot'], dealer: string | null): boolean =>
    namesNoLot(lot) || (dealer === null && (staging.isOwnExport === true || staging.places.presumed !== null))
  const queryOf = ({
    place,
    lot,
    lotId,
    vin,
    stock,
    rowFingerprint,
    fingerprint,
    row: { dealer, values },
  }: ComparedRow): VehicleQuery => ({
    place,
    lotId,
    vin,
    stock,
    rowFingerprint,
    fingerprint,
    ...(vin === null && stock !== null && { year: values.year, make: values.make }),
    isAnywhere: isForAnyLot(lot, dealer),
    isByStock: isForAnyLot(lot, dealer) && (vin === null || staging.isOwnExport === true),
  })
  const found = await findVehicles(
    db,
    { ...staging, lotIds: staging.places.ids },
    candidates
      .filter(
        ({ row, vin, stock, fingerprint }) => row.leftOut === null && (vin ?? stock ?? fingerprint) !== null,
      )
      .map(queryOf),
  )
  const unknown = candidates.filter(({ place, row }) => !found.has(place) && row.leftOut === null)
  const zeros = await findWithZeros(db, staging, unknown)
  const withZeros = unknown.filter(({ place }) => zeros.has(place))
  if (withZeros.length > 0) {
    const queries = withZeros.map((one) => queryOf({ ...one, stock: zeros.get(one.place) ?? null }))
    for (const [place, match] of await findVehicles(db, { ...staging, lotIds: staging.places.ids }, queries))
      found.set(place, match)
  }
  const lost = unknown.filter(({ place }) => !found.has(place))
  const others = await findOthers(db, staging, lost)
  const answered = await findAnswered(db, staging, { rows: lost, others })
  const owners = await findStockOwners(db, staging, {
    rows: candidates,
    found: new Map([...found, ...answered]),
  })
  return { candidates, found, others, answered, owners }
}

/**
 * Compares rows with existing vehicles and returns the rows to stage. Rows without any change are left out, and rows that have
 * to wait are added to `seenRows.waiting`.
 * @param isEnd the rows are those that waited, and the whole file was read.
 */
export async function compareRows(
  db: Database,
  staging: Staging,
  rows: readonly ParsedRow[],
  { seenRows, importStats, isEnd }: { seenRows: SeenRows; importStats: ImportStats; isEnd: boolean },
): Promise<StagedRow[]> {
  const { candidates, found, others, answered, owners } = await findCandidates(db, staging, rows)
  return candidates.flatMap((one) => {
    const match = found.get(one.place) ?? answered.get(one.place)
    const other = unlessListed(others.get(one.place), seenRows)
    const { row } = one
    if (row.leftOut !== null) return skipRow(one, row.leftOut, importStats)
    const refusals = [
      ...row.refusals,
      ...(row.refusals.length > 0 ? [] : lotRefusals(one, match, importStats)),
    ]
    const repeated = refusals.length === 0 && !isEnd ? repeatedReasons(one, seenRows) : []
    refusals.push(...repeated)
    if (one.vin !== null || one.stock !== null) seenRows.isNumbered = true
    const isUnnumbered = one.fingerprint !== null
    const mayWait = !isEnd && seenRows.waiting.length < MAX_WAITING
    const wait = (): StagedRow[] => {
      seenRows.waiting.push(row)
      return []
    }
    if (refusals.length === 0 && isUnnumbered && mayWait) return wait()
    // In a file that numbers its vehicles, a row without a number is an error, often a copy of another row.
    if (refusals.length === 0 && isUnnumbered && seenRows.isNumbered) refusals.push(NO_NUMBER)
    const isLoose = match !== undefined && isByStockOnly(one, match)
    if (refusals.length === 0 && isLoose && !isEnd) {
      if (mayWait) return wait()
      seenRows.seen.set(match.id, row.line)
      refusals.push('The stock number belongs to a vehicle whose VIN differs from that of the row.')
    }
    const isNumber = one.vin === null && one.stock !== null
    const isByNumber = match !== undefined && isNumber
    // A later row may have the same number.
    if (refusals.length === 0 && isNumber && mayWait) return wait()
    if (refusals.length === 0 && isByNumber) refusals.push(...ambiguousNumber(one, match, seenRows))
    if (refusals.length === 0 && isNumber && !isByNumber && seenRows.ofVins.get(namedKey(one)) !== undefined)
      refusals.push('Another row has the same stock number and a VIN.')
    const isTaken = isLoose && isClaimed(one, match, seenRows)
    if (refusals.length === 0 && isTaken && match.vin !== null && !isContradicted(one, match))
      refusals.push('Another row has the same stock number and a VIN.')
    const isOther =
      match !== undefined && (isLoose || one.vin === null) && !isTaken && isContradicted(one, match)
    // Stock numbers are given again after a vehicle is gone.
    const isLater = isOther && isGone(match.status)
    const isClash = isOther && isLoose && !isLater
    const vehicle =
      isTaken || isLater || (isClash && staging.answers.sameStock !== 'same') ? undefined : match
    // The other vehicle may be in a later row.
    if (refusals.length === 0 && vehicle === undefined && other?.kind === 'sameStock' && mayWait)
      return wait()
    if (isClash && refusals.length === 0) {
      const title = titleOf(match.now ?? {})
      importStats.countFound('sameStock', nameOf(title, one.stock))
      if (staging.answers.sameStock === 'leave')
        return skipRow(one, `The stock number is that of the ${title} in stock.`, importStats)
    }
    if (refusals.length === 0 && vehicle !== undefined && seenRows.seen.get(vehicle.id) !== undefined)
      refusals.push('An earlier row is for the same vehicle.')
    // The vehicle of a repeated row is that of the first one, which may still be waiting.
    if (vehicle !== undefined && repeated.length === 0) seenRows.seen.set(vehicle.id, row.line)
    if (refusals.length > 0) {
      importStats.count('refused')
      return importStats.refused > MAX_REFUSED
        ? []
        : [stagedOf(one, { kind: 'refused', reasons: refusals, after: row.values })]
    }
    if (vehicle === undefined) return addNew(one, { staging, importStats, other })
    const isMoving = answered.has(one.place) && other?.kind !== 'sameStock'
    const stockOwner = owners.get(one.place) ?? null
    return changeKnown(one, vehicle, { staging, importStats, isMoving, stockOwner })
  })
}

/** What a row says, with its status. */
const printOf = ({ rowFingerprint, row }: ComparedRow): string => `${rowFingerprint} ${row.status ?? ''}`

/** Why the stock number of a row doesn't tell its vehicle. */
function ambiguousNumber(one: ComparedRow, match: FoundVehicle, { seen, repeats }: SeenRows): string[] {
  const namesakes = (match.namesakes ?? []).filter(({ id }) => seen.get(id) === undefined)
  if (namesakes.length > 1)
    return [
      `The stock number is that of ${namesakes.length} vehicles on this lot (${namesakes.map(({ title }) => title).join('; ')}). Add the VIN.`,
    ]
  const prints = [...(repeats.get(stockKey(one)) ?? [])]
  return prints.some((print) => print !== printOf(one))
    ? ['Another row has the same stock number and other values. Add the VIN.']
    : []
}

/** A row of a file without lots, for which none is chosen: its vehicle may be on any lot if it is on one only. */
const namesNoLot = (lot: ComparedRow['lot']): boolean => 'refusal' in lot && lot.refusal === NO_LOT

function candidateOf(row: ParsedRow, place: number, { places }: Staging): ComparedRow {
  const lot = places.find(row.dealer)
  const [vin, stock] = [textOf(row.values.vin), textOf(row.values.stock)]
  const { year, make, model, pageUrl, mileage, color } = row.values
  const hasIdentity = vin === null && stock === null && hasFingerprint(row.values)
  return {
    row,
    place,
    lot,
    rowFingerprint: fingerprintOf(row.values),
    vin,
    stock,
    lotId: 'lotId' in lot ? lot.lotId : null,
    fingerprint: hasIdentity ? { year, make, model, pageUrl, mileage, color } : null,
  }
}

/** Why a row has no lot. A row that names none is on the lot where its VIN or stock number already is. */
function lotRefusals(
  { lot, row }: ComparedRow,
  match: FoundVehicle | undefined,
  importStats: ImportStats,
): string[] {
  if (!('refusal' in lot) || (lot.refusal === NO_LOT && match !== undefined)) return []
  if (row.dealer !== null) importStats.unknownDealer(row.dealer)
  return [lot.refusal]
}

/** Whether only the stock number connects a row with a vehicle: one of the two has a VIN, the other none. */
const isByStockOnly = ({ vin }: ComparedRow, match: FoundVehicle): boolean =>
  (vin === null) !== (match.vin === null)

/** Two vehicles of the file can have one stock number: then no one is asked whether they are the same. */
const unlessListed = (other: OtherVehicle | undefined, { vins }: SeenRows): OtherVehicle | undefined =>
  other?.kind === 'sameStock' && vins.get((other.vin ?? '').toUpperCase()) !== undefined ? undefined : other

/** Whether another row of the file is for a vehicle with the stock number of a row. */
function isClaimed(one: ComparedRow, match: FoundVehicle, seenRows: SeenRows): boolean {
  const claimed =
    match.vin === null ? seenRows.stocks.get(stockKey(one)) : seenRows.vins.get(match.vin.toUpperCase())
  return claimed !== undefined || seenRows.seen.get(match.id) !== undefined
}

/** Whether a vehicle with the stock number of a row has another year or make; one that is gone, also another model. */
function isContradicted({ row }: ComparedRow, { status, now }: FoundVehicle): boolean {
  const differs = (
    name: 'year' | 'make' | 'model',
    plain: (value: unknown) => unknown = (value) => value,
  ) => {
    const [own, other] = [row.values[name] ?? null, now?.[name] ?? null]
    return own !== null && other !== null && plain(own) !== plain(other)
  }
  // Models are often written with more words or fewer.
  return differs('year') || differs('make') || (isGone(status) && differs('model', firstWord))
}

const firstWord = (value: unknown): string => foldCase(String(value)).split(/[\s-]/)[0] ?? ''

function skipRow(one: ComparedRow, reason: string, importStats: ImportStats): StagedRow[] {
  importStats.count('leftOut')
  if (importStats.leftOut > MAX_REFUSED) return []
  return [stagedOf(one, { kind: 'leftOut', reasons: [reason] })]
}

/** Stages a new vehicle. One that the feed gives as sold is left out. */
function addNew(
  one: ComparedRow,
  {
    staging,
    importStats,
    other,
  }: { staging: Staging; importStats: ImportStats; other: OtherVehicle | undefined },
): StagedRow[] {
  const { row } = one
  if (row.status !== null && GONE.has(row.status))
    return skipRow(one, GONE_REASONS[row.status] ?? GONE_REASONS.archived, importStats)
  if (other !== undefined) {
    const name = nameOf(other.title ?? titleOf(row.values), other.stock ?? one.stock)
    importStats.countFound(other.kind, other.kind === 'sameStock' ? name : `${name} on ${other.lot}`)
    if (staging.answers[other.kind] === 'leave')
      return skipRow(one, `The vehicle is in stock on the lot ${other.lot} and stays there.`, importStats)
  }
  if (other === undefined && isBare(one, staging)) {
    importStats.countFound('newStock', one.stock ?? '')
    if (staging.answers.newStock === 'leave')
      return skipRow(one, `The stock number ${one.stock} isn't known.`, importStats)
  }
  importStats.count('new')
  const toStatus = row.status === 'live' ? null : row.status
  const number = other?.kind === 'otherLot' ? 'VIN' : 'stock number'
  const twice = other === undefined ? [] : [`This ${number} is also in stock on the lot ${other.lot}.`]
  for (const sentence of twice) importStats.countVin(sentence, false)
  const found = vinWarnings(row.values, staging, importStats)
  const warnings = [...row.warnings, ...twice, ...found].map(asText)
  return [stagedOf(one, { kind: 'new', ...newVehicle(row.values, staging.reading), toStatus, warnings })]
}

/** Whether only a stock number names the vehicle of a row in a file that a person brings. */
const isBare = ({ vin, stock, row: { values } }: ComparedRow, { sourceId }: Staging): boolean =>
  sourceId === null &&
  vin === null &&
  stock !== null &&
  [values.year, values.make, values.model].every((value) => (value ?? null) === null)

/** Names a contradiction between a vehicle and its VIN, and counts it. */
function vinWarnings(values: VehicleValues, { reading }: Staging, importStats: ImportStats): string[] {
  const found = vinContradiction(values, reading.today)
  if (found === null) return []
  importStats.countVin(found.sentence, found.isOther)
  return [found.sentence]
}

function changeKnown(
  one: ComparedRow,
  vehicle: FoundVehicle,
  {
    staging,
    importStats,
    isMoving,
    stockOwner,
  }: { staging: Staging; importStats: ImportStats; isMoving: boolean; stockOwner: string | null },
): StagedRow[] {
  const kept = keptStatus(one.row, vehicle, staging)
  const keeps = kept === null || staging.sourceId === null ? [] : [keptSentence(vehicle, kept)]
  if (kept !== null) countKept(one, vehicle, { kept, staging, importStats })
  const isElsewhere = isOnOtherLot(one, vehicle, staging) && !isMoving
  if (isElsewhere) {
    const [from, to] = [vehicle.lotId, one.lotId ?? ''].map((id) => staging.places.nameOf(id))
    const name = nameOf(titleOf({ ...vehicle.now, ...one.row.values }), one.stock)
    importStats.countFound('feedLot', `${name}, on ${from} here and on ${to} in the file`)
    if (staging.answers.feedLot === 'leave') {
      keeps.push(`The vehicle stays on the lot ${from}. The file has it on ${to}.`)
      importStats.countVin('Vehicles stay on their lot. The file has them on another one.', false)
    }
  }
  const toLotId = isMoving || (isElsewhere && staging.answers.feedLot === 'toLot') ? one.lotId : null
  const ownStock = vehicle.now?.['stock']
  const isSame =
    typeof ownStock === 'string' &&
    one.stock !== null &&
    ownStock !== one.stock &&
    isSameNumber(ownStock, one.stock)
  if (isSame && /^\d+$/.test(ownStock))
    importStats.countVin('Stock numbers without the zeros before them keep those they have here.', false)
  const keepsStock = isSame || (stockOwner !== null && staging.answers.takenStock === 'leave')
  const row = keepsStock ? { ...one.row, values: { ...one.row.values, stock: undefined } } : one.row
  const found = stepFor(row, vehicle, {
    rowFingerprint: one.rowFingerprint,
    staging,
    taken: staging.answers.keptStatus === 'takeStatus' ? kept : null,
  })
  const step = toLotId === null ? found : { ...(found ?? UNCHANGED), kind: 'changed' as const, toLotId }
  if (
    staging.keepsStatus === true &&
    vehicle.status === 'removed' &&
    one.row.status === null &&
    !staging.isOwnExport
  )
    importStats.countFound('comeBack', nameOf(titleOf({ ...vehicle.now, ...one.row.values }), one.stock))
  importStats.countLocked(step?.locked.length ?? 0)
  if (step === null && GONE.has(vehicle.status)) importStats.count('idle')
  if (step === null || step.kind === 'same') importStats.count('unchanged')
  else importStats.count('changed', 'price' in step.after)
  for (const name of step === null ? [] : lostFields(step)) importStats.countLost(name)
  if (step !== null && step.toStatus !== null && GONE.has(step.toStatus)) importStats.count('gone')
  if (step === null) {
    const isListed = hasUnknownStatus(one.row) || keeps.length > 0
    return isListed && !GONE.has(vehicle.status) ? [unchangedRow(withWarnings(one, keeps), vehicle)] : []
  }
  const isIdentity = ['vin', 'year', 'make', 'model'].some((name) => name in step.after)
  const warnings = isIdentity ? vinWarnings({ ...vehicle.now, ...step.after }, staging, importStats) : []
  if (stockOwner !== null && 'stock' in step.after) {
    const sentence = `The stock number ${one.stock} is also that of the ${stockOwner} in stock.`
    importStats.countFound('takenStock', `${one.stock}, that of the ${stockOwner}`)
    warnings.push(sentence)
  }
  // Files name vehicles by a make or a number alone.
  const given = Object.entries(one.row.values).filter(([, value]) => value !== null)
  const title = titleOf({ ...vehicle.now, ...Object.fromEntries(given) })
  const own = { vehicleId: vehicle.id, lotId: vehicle.lotId, title }
  return [
    stagedOf(one, { ...step, ...own, warnings: [...one.row.warnings, ...keeps, ...warnings].map(asText) }),
  ]
}

/** A row whose status isn't known is listed, even if it changes nothing. */
const hasUnknownStatus = ({ warnings }: ParsedRow): boolean =>
  warnings.some((warning) => warning.endsWith(`${UNKNOWN_STATUS}.`))

const unchangedRow = (one: ComparedRow, { id, lotId }: FoundVehicle): StagedRow =>
  stagedOf(one, { ...UNCHANGED, kind: 'same', vehicleId: id, lotId })

/** The fields that lose their value. */
const lostFields = ({ after, before }: Difference): AnyFieldName[] =>
  namesIn(after).filter((name) => isBlank(after[name]) && !isBlank(before[name]))

const isBlank = (value: unknown): boolean =>
  (value ?? null) === null || (Array.isArray(value) && value.length === 0)

/** Remembers the row and returns the reason why it is a duplicate. */
function repeatedReasons(one: ComparedRow, seenRows: SeenRows): string[] {
  const { row, vin, stock } = one
  if (vin !== null && stock !== null)
    for (const key of [stockKey(one), namedKey(one)]) seenRows.ofVins.set(key, row.line)
  const [known, key] = vin === null ? [seenRows.stocks, stockKey(one)] : [seenRows.vins, vin]
  const first = known.get(key)
  if (first === undefined) {
    known.set(key, row.line)
    return []
  }
  if (vin !== null) return [`Line ${first} already has the same VIN.`]
  if (seenRows.repeats.size < MAX_WAITING)
    seenRows.repeats.set(key, (seenRows.repeats.get(key) ?? new Set()).add(printOf(one)))
  return [
    stock === null
      ? `Line ${first} already describes the same vehicle.`
      : `Line ${first} already has the same stock number.`,
  ]
}

/** A stock number with the year and make of its row, if it has them: another vehicle can have the same number. */
const namedKey = (one: ComparedRow): string => {
  const { year, make } = one.row.values
  const named = [year, make].filter((value) => (value ?? null) !== null)
  return [stockKey(one), ...named.map((value) => foldCase(String(value)))].join(' ')
}

/** Identifies a row without a VIN within its file. */
const stockKey = ({ lotId, stock, fingerprint }: ComparedRow): string =>
  stock === null ? `${lotId} ${JSON.stringify(fingerprint)}` : `${lotId} ${stock.toLowerCase()}`

/** What a row changes in its vehicle; null if nothing. */
function stepFor(
  { values, status }: ParsedRow,
  vehicle: FoundVehicle,
  {
    rowFingerprint,
    staging: { sourceId, reading, keepsStatus = false },
    taken,
  }: { rowFingerprint: string; staging: Staging; taken: FeedStatus | null },
):
  | (Pick<StagedRow, 'toStatus' | 'overStatus' | 'question' | 'mileage'> &
      Difference & { kind: 'changed' | 'same' })
  | null {
  // Our own export lists what a feed has removed.
  if (taken === null && vehicle.status === 'removed' && status !== null && GONE.has(status)) return null
  const toStatus = taken ?? (keepsStatus && status === null ? null : newStatus(vehicle, status))
  // Already sold, but still listed in its feed.
  if (GONE.has(vehicle.status) && toStatus === null) return null
  const { now } = vehicle
  const difference = now === null ? NOTHING : compareRow(values, { ...vehicle, now }, reading)
  const mileage = mileageQuestionOf(difference)
  const isKnown =
    vehicle.rowFingerprint === rowFingerprint &&
    vehicle.missingRuns === 0 &&
    (sourceId === null || vehicle.feedSourceId === sourceId)
  if (isKnown && toStatus === null) return null
  const isChanged = toStatus !== null || Object.keys(difference.after).length > 0
  const question = now === null ? null : priceQuestionOf(values, { ...vehicle, now })
  const overStatus = toStatus === null ? null : vehicle.status
  return { ...difference, kind: isChanged ? 'changed' : 'same', toStatus, overStatus, question, mileage }
}

const withWarnings = (one: ComparedRow, warnings: readonly string[]): ComparedRow => ({
  ...one,
  row: { ...one.row, warnings: [...one.row.warnings, ...warnings] },
})

/** Whether a source has one of its vehicles on another of its lots than it is on. */
const isOnOtherLot = ({ lot, lotId }: ComparedRow, vehicle: FoundVehicle, { sourceId }: Staging): boolean =>
  sourceId !== null && 'isNamed' in lot && lotId !== vehicle.lotId && !isGone(vehicle.status)

function stagedOf(
  { row, rowFingerprint, vin, stock, lotId }: ComparedRow,
  more: Partial<StagedRow> & Pick<StagedRow, 'kind'>,
): StagedRow {
  const isRefused = more.kind === 'refused' || more.kind === 'leftOut'
  return {
    line: row.line,
    lotId,
    vehicleId: null,
    title: titleOf({ ...more.after, ...row.values }),
    vin,
    stock,
    dealer: row.dealer === null ? null : asText(row.dealer),
    raw: isRefused ? asText(row.raw) : null,
    reasons: [],
    warnings: row.warnings.map(asText),
    rowFingerprint: isRefused ? null : rowFingerprint,
    after: {},
    before: {},
    fromVin: [],
    locked: [],
    changesPrice: !isRefused && more.kind === 'changed' && 'price' in (more.after ?? {}),
    sourcePriceCents: isRefused ? null : sourcePriceOf(row.values),
    question: null,
    mileage: null,
    toStatus: null,
    overStatus: null,
    toLotId: null,
    ...more,
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Stores staged rows with their run. A row belongs to the organization of its lot.
 * @param organizationId the organization that sees rows without a lot; null: only users with access to the whole customer.
 */
export async function insertRows(
  db: Database,
  { runId, organizationId }: { runId: string; organizationId: string | null },
  rows: readonly StagedRow[],
): Promise<void> {
  if (rows.length === 0) return
  // Nested JSON as text, and empty values left out: this halves the parsing time.
  const slim = rows.map(
    ({ after, before, reasons, warnings, fromVin, locked, changesPrice, question, mileage, ...row }) => ({
      ...row,
      ...mileage,
      ...(question !== null && { ownPriceCents: question.ownCents, sentPriceCents: question.sentCents }),
      ...(reasons.length > 0 && { reasons }),
      ...(warnings.length > 0 && { warnings }),
      after: JSON.stringify(after),
      ...(Object.keys(before).length > 0 && { before: JSON.stringify(before) }),
      ...(fromVin.length > 0 && { fromVin }),
      ...(locked.length > 0 && { locked }),
      ...(changesPrice && { changesPrice }),
    }),
  )
  await sql`
    insert into feed_run_rows (run_id, organization_id, kind, line, lot_id, vehicle_id, title, vin, stock, dealer, raw,
      reasons, warnings, fingerprint, after, before, from_vin, locked, changes_price, source_price_cents, asks_price, own_price_cents,
      sent_price_cents, to_status, over_status, own_mileage, source_mileage, to_lot_id)
    select ${runId}::bigint, case when r."lotId" is null then ${organizationId}::bigint
        else (select l.organization_id from lots l where l.id = r."lotId") end, r.kind, r.line, r."lotId", r."vehicleId", left(r.title, 300), r.vin,
      r.stock, r.dealer, r.raw, coalesce(r.reasons, '{}'), coalesce(r.warnings, '{}'), r."rowFingerprint", r.after::jsonb,
      coalesce(r.before, '{}')::jsonb, coalesce(r."fromVin", '{}'), coalesce(r.locked, '{}'), coalesce(r."changesPrice", false),
      r."sourcePriceCents", r."ownPriceCents" is not null, r."ownPriceCents", r."sentPriceCents", r."toStatus", r."overStatus",
      r."ownMileage", r."sourceMileage", r."toLotId"
    from json_to_recordset(${JSON.stringify(slim)}::json) as r(kind text, line integer, "lotId" bigint, "vehicleId" bigint,
      title text, vin text, stock text, dealer text, raw text, reasons text[], warnings text[], "rowFingerprint" text, after text,
      before text, "fromVin" text[], locked text[], "changesPrice" boolean, "sourcePriceCents" bigint,
      "ownPriceCents" bigint, "sentPriceCents" bigint, "toStatus" text, "overStatus" text, "ownMileage" integer, "sourceMileage" integer, "toLotId" bigint)`.execute(
    db,
  )
}
