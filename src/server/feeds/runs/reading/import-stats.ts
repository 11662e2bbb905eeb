import type { MappedRow } from '#contract/feeds/mappings/map-row.ts'
import type { FeedTarget } from '#contract/feeds/mappings/mapping.ts'
import type { VEHICLE_KEYS } from '#contract/feeds/mappings/feed-questions.ts'
import { statusKey } from '#contract/feeds/mappings/with-answers.ts'
import type { AnyFieldName } from '#contract/vehicles/vehicles/vehicle-input.ts'

/** How many rows a question is about, and the first of them in words. */
export type Named = { rows: number; value: string }

/** What a person is asked about vehicles. */
export type AskedVehicles = (typeof VEHICLE_KEYS)[number]

/** Counts what happens while a file is read. */
export type ImportStats = {
  readonly refused: number
  readonly leftOut: number
  /** `gone`: known vehicles that the feed now gives as sold or wholesale; they are counted as changed too. */
  readonly gone: number
  /** Known vehicles that are gone, whose row changes nothing; they are counted as unchanged too. */
  readonly idle: number
  count: (what: keyof typeof NONE, isPrice?: boolean) => void
  countLocked: (fields: number) => void
  /** A known vehicle loses the value of a field. */
  countLost: (field: AnyFieldName) => void
  /** A row contradicts its VIN. `isOther`: the VIN is that of another vehicle. */
  countVin: (sentence: string, isOther: boolean) => void
  /** A row asks about its vehicle; `sentence` names it. */
  countFound: (what: AskedVehicles, sentence: string) => void
  found: (what: AskedVehicles) => Named | null
  /** What rows say whose VIN is that of another vehicle. */
  otherVins: () => readonly string[]
  /** How many known vehicles lose the value of each field, most first. */
  lost: () => (readonly [field: AnyFieldName, vehicles: number])[]
  /** How many rows have a value, by mapped field. */
  filled: () => Readonly<Record<string, number>>
  row: (
    warnings: readonly string[],
    unmapped: readonly { field: string; value: string }[],
    mapped?: Pick<MappedRow, 'values' | 'blank' | 'asks' | 'refusals' | 'leftOut'>,
  ) => void
  unknownDealer: (dealer: string) => void
  /** What rows ask about: how many ask for the same field and word. Dates of a field are one question. */
  asked: () => { target: FeedTarget; value: string; rows: number }[]
  /** Unmapped values, with some VINs of their rows, and unlinked dealer IDs. */
  unknown: () => {
    values: { field: string; raw: string; rows: number; vins: readonly string[] }[]
    dealers: { dealerId: string; rows: number }[]
  }
  /** The statistics columns of a run. */
  columns: () => {
    rowCount: number
    newCount: number
    changedCount: number
    priceCount: number
    missingCount: number
    unchangedCount: number
    refusedCount: number
    leftOutCount: number
    lockedCount: number
    unknownDealers: string
    unmapped: string
    warnings: string
    filled: string
  }
}

/** How many distinct values are counted; further ones are ignored. */
const MAX_KEYS = 5_000
/** How many of them are stored with the run. */
const MAX_STORED = 200
/** How many sample VINs are stored for each value. */
const MAX_VINS = 5

const NONE = { new: 0, changed: 0, missing: 0, unchanged: 0, refused: 0, leftOut: 0, gone: 0, idle: 0 }

export function makeImportStats(): ImportStats {
  const counts = { ...NONE }
  let [rows, prices, locked] = [0, 0, 0]
  const dealers = new Map<string, number>()
  const unmapped = new Map<string, number>()
  const warnings = new Map<string, number>()
  const vins = new Map<string, string[]>()
  const lost = new Map<AnyFieldName, number>()
  const filled = new Map<string, number>()
  const otherVins: string[] = []
  const asked = new Map<string, { target: FeedTarget; value: string; rows: number }>()
  return {
    get refused() {
      return counts.refused
    },
    get leftOut() {
      return counts.leftOut
    },
    get gone() {
      return counts.gone
    },
    get idle() {
      return counts.idle
    },
    count(what, isPrice = false) {
      counts[what] += 1
      if (isPrice) prices += 1
    },
    countLocked(fields) {
      locked += fields
    },
    row(sentences, values, mapped) {
      rows += 1
      const { vin } = mapped?.values ?? {}
      for (const name of mapped?.blank ?? []) filled.set(name, filled.get(name) ?? 0)
      for (const name of Object.keys(mapped?.values ?? {})) filled.set(name, (filled.get(name) ?? 0) + 1)
      const isRead = mapped !== undefined && mapped.refusals.length === 0 && mapped.leftOut === null
      for (const one of isRead ? mapped.asks : []) countAsked(asked, one)
      for (const sentence of sentences) add(warnings, withoutValue(sentence))
      for (const { field, value } of values) {
        const key = `${field}\t${value.slice(0, 200)}`
        add(unmapped, key)
        const samples = vins.get(key) ?? []
        if (typeof vin === 'string' && unmapped.has(key) && samples.length < MAX_VINS) {
          vins.set(key, [...samples, vin])
        }
      }
    },
    countLost: (field) => void lost.set(field, (lost.get(field) ?? 0) + 1),
    countVin(sentence, isOther) {
      add(warnings, sentence)
      if (isOther) otherVins.push(sentence)
    },
    otherVins: () => otherVins,
    ...askedVehicles(),
    lost: () => [...lost].toSorted(([, one], [, other]) => other - one),
    filled: () => Object.fromEntries(filled),
    unknownDealer: (dealer) => add(dealers, dealer),
    asked: () => [...asked.values()].toSorted((one, other) => other.rows - one.rows),
    unknown: () => ({
      values: mostOf(unmapped).map(([key, count]) => {
        const [field = '', raw = ''] = key.split('\t')
        return { field, raw, rows: count, vins: vins.get(key) ?? [] }
      }),
      dealers: mostOf(dealers).map(([dealerId, count]) => ({ dealerId, rows: count })),
    }),
    columns: () => ({
      rowCount: rows,
      newCount: counts.new,
      changedCount: counts.changed,
      priceCount: prices,
      missingCount: counts.missing,
      unchangedCount: counts.unchanged,
      refusedCount: counts.refused,
      leftOutCount: counts.leftOut,
      lockedCount: locked,
      unknownDealers: JSON.stringify(mostOf(dealers).map(([dealer, count]) => ({ dealer, rows: count }))),
      unmapped: JSON.stringify(
        mostOf(unmapped).map(([key, count]) => {
          const [field = '', value = ''] = key.split('\t')
          return { field, value, rows: count }
        }),
      ),
      filled: JSON.stringify(Object.fromEntries(filled)),
      warnings: JSON.stringify(mostOf(warnings).map(([sentence, count]) => ({ sentence, rows: count }))),
    }),
  }
}

/** Counts rows by what they ask about their vehicles, and remembers what the first one says. */
function askedVehicles(): Pick<ImportStats, 'countFound' | 'found'> {
  const found = new Map<AskedVehicles, Named>()
  return {
    countFound(what, sentence) {
      const before = found.get(what)
      found.set(what, { rows: (before?.rows ?? 0) + 1, value: before?.value ?? sentence })
    },
    found: (what) => found.get(what) ?? null,
  }
}

function countAsked(
  asked: Map<string, { target: FeedTarget; value: string; rows: number }>,
  { target, value }: { target: FeedTarget; value: string },
): void {
  const key = target === 'status' ? statusKey(value) : target
  const known = asked.get(key)
  if (known !== undefined) known.rows += 1
  else if (asked.size < MAX_KEYS) asked.set(key, { target, value: value.slice(0, 200), rows: 1 })
}

function add(counts: Map<string, number>, key: string): void {
  const known = counts.get(key)
  if (known !== undefined || counts.size < MAX_KEYS) counts.set(key, (known ?? 0) + 1)
}

const mostOf = (counts: Map<string, number>): [string, number][] =>
  [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MAX_STORED)

/** Removes the value from a warning, so that "… isn't a price" is counted as one. */
function withoutValue(sentence: string): string {
  return sentence.replace(/\u201c[^\u201d]*\u201d/, 'A value').replace(/VIN [A-Z0-9]+ /, 'VIN ')
}
