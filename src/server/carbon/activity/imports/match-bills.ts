import type { UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Questions } from './import-questions.ts'
import { findDifference, otherColumns, readOtherCells } from './other-columns.ts'
import { readBilledTwice } from './billed-twice-before.ts'
import { findParts, lookWithin, wholeFinder } from './bill-sums.ts'
import { seenAt } from './seen-records.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'
import {
  type Bill,
  bareNumber,
  billOf,
  type LineBill,
  type StoredBill,
  closenessOf,
  figureOf,
  hasNumber,
  hasOtherNumber,
  isInside,
  isNear,
  isOnTop,
  ordinal,
  isOfDays,
  isOfMostDays,
  isOfTime,
  isOtherMeter,
  isReadOn,
  looseCredits,
  measureOf,
  isSameMeter,
  shareDays,
  shareHours,
  splitCredits,
  takenBack,
  withBoth,
} from './bill-identity.ts'
import {
  askAgain,
  askDifferent,
  askElsewhere,
  askOtherMeter,
  askOverlap,
  askParts,
  askRepeated,
  askSameNumber,
  askShifted,
  askWhole,
  askReplaced,
  type Answer,
} from './ask-about-bills.ts'
import { settleNumbers } from './corrected-numbers.ts'
import { settleContained } from './contained-lines.ts'
import { settleDeleted } from './deleted-bills.ts'
import { settleCreditsOfLastYear } from './credits-of-last-year.ts'
import { settleCreditsBesides, settleLateCredits } from './late-credits.ts'
import { keptBill, leaveAgain, readLeft } from './left-bills.ts'
import { listedAgain } from './listed-again.ts'
import { findElsewhere } from './other-sources.ts'
import { likelyCorrections } from './likely-corrections.ts'
import { findShifted } from './shifted-lists.ts'
import { readFormer, readStored } from './stored-bills.ts'
import { settleVoided } from './voided-lines.ts'

export type MatchedBills = {
  /** The records that lines repeat, by the key of the line. */
  known: ReadonlyMap<string, string>
  /** The records that lines replace, by the key of the line. */
  replaced: ReadonlyMap<string, Readonly<{ id: string; version: number }>>
  /** Lines that an earlier import left out as well. */
  leftAgain: ReadonlySet<ReadLine>
  /** A record that is asked about changed after the user saw it. */
  isStale: boolean
}

/**
 * Finds the lines of a file whose bill is already there: same days and use in any unit, and no other number or meter. Each record is one
 * line. What has the days or the number of a record, but another use or meter, or was taken back by a credit, is asked about.
 */
export async function matchBills(
  db: Database,
  read: readonly ReadLine[],
  plan: Pick<ReadingPlan, 'questions' | 'context' | 'mapping' | 'proposal'>,
): Promise<MatchedBills> {
  const { questions } = plan
  const { units } = plan.context
  const voided = read.flatMap((one) => (one.voids === undefined ? [] : billIn(one, units)))
  const unvoided = read.flatMap((one) => lineBill(one, units))
  const stored = await readStored(db, [...unvoided, ...voided], units)
  const askedVoided = settleVoided(voided, { stored, questions })
  const lines = voided.length === 0 ? unvoided : read.flatMap((one) => lineBill(one, units))
  // A line that is there twice is one bill; if it is new, the second is refused when it is checked.
  const groups = [...Map.groupBy(lines, keyOf).values()]
  const ledger = openLedger(stored, lines)
  const firsts = groups.flatMap((all) => all.slice(0, 1))
  const { same, differenceOf } = await findSame(db, firsts, { plan, ledger })
  const unknown = firsts.filter((line) => !same.has(line))
  const isNew = unknown.length > 0
  const former = isNew ? await readFormer(db, firsts, units) : []
  const left = isNew ? await readLeft(db, firsts, units) : []
  const waiting = new Set(firsts.filter((line) => line.read.isOpen))
  const leftAgain = leaveAgain(firsts, { same, left, stored, former })
  const ofLoose = billsOfLoose(firsts, { same, stored })
  const counting = stored.filter(ledger.holds)
  const isUnclear = hasOpenCredits(questions)
  const unpaired = firsts.filter((line) => !ofLoose.has(line))
  const wereTwice = await readBilledTwice(db, isNew ? firsts : [], units)
  const isRepeated = repeatedIn(groups)
  const matching = { same, former, stored: counting, plan, isUnclear, isRepeated, wereTwice }
  const replaces = settleNumbers(unpaired, matching)
  settleDeleted(firsts, { same, former, plan })
  settleContained(firsts, { same, questions })
  const asked = settleLateCredits(firsts, { same, former, left, stored, plan })
  await settleCreditsOfLastYear(db, firsts, { same, stored, asked, plan })
  const known = new Map<string, string>()
  const replaced = new Map<string, { id: string; version: number }>()
  const repeated = new Set(same.values())
  const taken = new Set(repeated)
  const seen = seenAt(plan.mapping)
  let isStale = askedVoided.some(({ at }) => seen !== undefined && at > seen)
  const replaceBy = ({ read: { key, record }, ...line }: LineBill, before: StoredBill, hasName = true) => {
    replaced.set(key, { id: before.id, version: before.version })
    if (seen !== undefined && before.at > seen) isStale = true
    if (record !== null && hasName) record.reference = keptName(record.reference, line, before)
  }
  const free = stored.filter((one) => !repeated.has(one))
  const held = counting.filter((one) => !repeated.has(one))
  const fresh = unpaired.filter((line) => !same.has(line) && isFresh(line))
  const asking = {
    ledger,
    taken,
    repeated,
    questions,
    parts: findParts(unknown, held),
    wholeOf: wholeFinder(free),
    shifted: findShifted(fresh, held),
    elsewhere: await findElsewhere(db, fresh, plan.context),
    isListedAgain: listedAgain(splitCredits(counting)[0], lines, { plan, ofDays: ledger.ofDays, wereTwice }),
  }
  for (const [line, ...more] of groups) {
    if (line === undefined) continue
    const corrected = replaces.get(line)
    if (corrected !== undefined) replaceBy(line, corrected)
    const isSettled = line.read.isLeft || (line.read.isOpen && !waiting.has(line))
    if (isSettled || corrected !== undefined) {
      for (const { read: one } of more) followLine(one, line.read)
      continue
    }
    const found = same.get(line)
    if (found === undefined && isUnclear && waitsForCredits(line, more, counting)) continue
    const difference = found === undefined ? null : differenceOf(line, found)
    const different = found && { record: found, answer: askDifferent(found, { line, questions, difference }) }
    const { record, answer } = different ?? (ofLoose.has(line) ? {} : askAbout(line, asking))
    const there = found === undefined ? 0 : ledger.sameAs(line).length
    const repeats = line.number === '' ? more.slice(0, Math.max(0, there - 1)) : more
    for (const { read: one } of repeats) followLine(one, line.read)
    settleEqual(line, more.slice(repeats.length), questions)
    if (record === undefined) continue
    const isFirst = !taken.has(record)
    if (answer !== 'known' && seen !== undefined && record.at > seen) isStale = true
    taken.add(record)
    if (answer === 'known') for (const { read: one } of [line, ...repeats]) known.set(one.key, record.id)
    // Of several lines that replace a bill, such as its meters, the others are new.
    if (answer === 'replace' && isFirst) replaceBy(line, record, !asking.parts.has(line))
  }
  const ids = new Set([...replaced.values()].map(({ id }) => id))
  const gone = held.filter((one) => !one.isCredit && ids.has(one.id))
  settleCreditsBesides(firsts, { same, former, left, stored, plan, replaced: gone })
  return { known, replaced, leftAgain, isStale }
}

/** Whether a line without a number is there again. */
function repeatedIn(groups: readonly (readonly LineBill[])[]): (line: LineBill) => boolean {
  const again = new Set(groups.flatMap((own) => (own.length > 1 ? own.slice(0, 1) : [])))
  return (line) => line.number === '' && again.has(line)
}

/** The records that lines repeat, and in which other column a line and a record differ. */
async function findSame(
  db: Database,
  firsts: readonly LineBill[],
  { plan, ledger }: { plan: Parameters<typeof otherColumns>[0]; ledger: Ledger },
) {
  const columns = otherColumns(plan)
  const cells = await readOtherCells(
    db,
    firsts.flatMap((line) => ledger.sameAs(line).map(({ id }) => id)),
    columns,
  )
  const differenceOf = ({ read: line }: LineBill, { id }: StoredBill) =>
    findDifference(line, cells.get(id), columns)
  const same = pair(firsts, (line) =>
    ledger
      .sameAs(line)
      .toSorted((a, b) => Number(differenceOf(line, a) !== null) - Number(differenceOf(line, b) !== null)),
  )
  return { same, differenceOf }
}

/** Lines that credits have waited for since an import was undone: both count. */
const billsOfLoose = (
  lines: readonly LineBill[],
  { same, stored }: { same: ReadonlyMap<LineBill, StoredBill>; stored: readonly StoredBill[] },
): ReadonlySet<LineBill> =>
  takenBack(
    lines.filter((line) => isFresh(line) && !line.isCredit && !same.has(line)),
    looseCredits(stored),
  )

const isFresh = ({ read }: LineBill): boolean => !read.isLeft && !read.isOpen

/** Nobody has said yet which lines are credits or no longer valid. */
const hasOpenCredits = (questions: Questions): boolean =>
  questions.list().some(({ id, answer }) => /^(credits|word|negativeCost)\b/.test(id) && answer === null)

/** What a line is of the records of its days, depends on the credits of its file: they may take those back. */
function waitsForCredits(
  line: LineBill,
  more: readonly LineBill[],
  counting: readonly StoredBill[],
): boolean {
  if (!counting.some((one) => one.sourceId === line.sourceId && shareDays(one, line))) return false
  waits(line.read, 'reference', 'Say first which lines are credits, or no longer valid.')
  for (const { read } of more) followLine(read, line.read)
  return true
}

/** The same line again waits or is left out with the first one. */
function followLine(read: ReadLine, first: ReadLine): void {
  if (first.isLeft) leave(read, 'reference', `Left out: the same as line ${first.line}.`)
  else if (first.isOpen)
    waits(read, 'reference', `The same as line ${first.line}, which waits for an answer.`)
}

/** The number and the meter of a line that replaces a record: a meter keeps the name that it had first. */
const keptName = (reference: string | null | undefined, line: Bill, record: StoredBill): string | null =>
  isOtherMeter(line, record) ? record.reference : withBoth(reference, record.reference) || null

/**
 * Lines without a number that are there several times, and more often than before: each is one of several, such as two deliveries of a
 * day, or the same again.
 */
function settleEqual(line: LineBill, more: readonly LineBill[], questions: Questions): void {
  if (more.length === 0) return
  if (line.read.isLeft || line.read.isOpen) return more.forEach(({ read }) => followLine(read, line.read))
  const areAll = askRepeated(line, more, questions)
  for (const [at, { read }] of [line, ...more].entries()) {
    if (areAll === true && read.record !== null)
      read.record.reference = withBoth(ordinal(at + 1, more.length + 1), read.record.reference ?? null)
    if (at === 0 || areAll === true) continue
    if (areAll === null) waits(read, 'quantity', `The same as line ${line.read.line}. Say whether all count.`)
    else leave(read, 'quantity', `Left out: the same as line ${line.read.line}.`)
  }
}

type Asking = Readonly<{
  ledger: Ledger
  /** Records that a line repeats. */
  repeated: ReadonlySet<StoredBill>
  /** The same, and those that a line was asked about. */
  taken: ReadonlySet<StoredBill>
  questions: Questions
  /** Lines that together are a record. */
  parts: ReturnType<typeof findParts>
  /** The records that together are a line. */
  wholeOf: ReturnType<typeof wholeFinder>
  /** The records of a list whose days are others. */
  shifted: ReturnType<typeof findShifted>
  /** Those of other sources. */
  elsewhere: Awaited<ReturnType<typeof findElsewhere>>
  /** Whether a line lists a record again under another number and meter. */
  isListedAgain: ReturnType<typeof listedAgain>
}>

/** Asks about a line that is in no record as it is, and returns the record that it may be; undefined: a new bill. */
function askAbout(
  line: LineBill,
  { ledger, taken, repeated, questions, parts, wholeOf, shifted, elsewhere, isListedAgain }: Asking,
): { record?: StoredBill; answer?: Answer } {
  const free = (all: readonly StoredBill[]) => all.filter((one) => !taken.has(one))
  const asked = { line, questions }
  const back = free(ledger.takenBack(line))
  const [again] = back.filter(({ use }) => use === line.use)
  if (again !== undefined) return { record: again, answer: askAgain(again, asked) }
  const part = parts.get(line)
  if (part !== undefined)
    return { record: part.whole, answer: askParts(part.whole, { ...asked, parts: part.parts }) }
  const split = free(wholeOf(line))
  const [largest] = split.filter(({ isCredit }) => !isCredit)
  if (largest !== undefined) return { record: largest, answer: askWhole(split, asked) }
  // Several lines may be on top of one record: each is asked about.
  const open = (all: readonly StoredBill[]) => all.filter((one) => !repeated.has(one))
  const beside = open(ledger.beside(line, isListedAgain))
  // Also of lines that are in the file again.
  const inside = ledger.beside(line, isListedAgain).filter((one) => isInside(one, line))
  const [earliest] = inside.length > 1 ? inside : []
  if (earliest !== undefined)
    return { record: earliest, answer: askOverlap(earliest, { ...asked, others: inside }) }
  const others = free(ledger.others(line))
  const [before] = others
  if (before !== undefined) return { record: before, answer: askReplaced(before, { ...asked, others }) }
  const [former] = back
  if (former !== undefined) return { record: former, answer: askAgain(former, asked) }
  // A bill that is stored as one, and has a line for each meter here.
  const [whole] = ledger.others(line).filter((one) => hasNumber(line, one) && !repeated.has(one))
  if (whole !== undefined) return { record: whole, answer: askReplaced(whole, { ...asked, others: [whole] }) }
  const [other] = free(ledger.ofOtherMeters(line))
  if (other !== undefined) return { record: other, answer: askOtherMeter(other, asked) }
  const overlapping = (all: readonly StoredBill[]) =>
    all[0] && { record: all[0], answer: askOverlap(all[0], { ...asked, others: all }) }
  const onTop = overlapping(beside)
  if (onTop !== undefined) return onTop
  const [numbered] = free(ledger.ofOtherDays(line))
  if (numbered !== undefined) return { record: numbered, answer: askSameNumber(numbered, asked) }
  const moved = shifted.get(line)
  if (moved !== undefined)
    return { record: moved, answer: askShifted(moved, { ...asked, count: shifted.size }) }
  const stray = elsewhere.get(line)
  if (stray !== undefined) return { record: stray.record, answer: askElsewhere(stray, asked) }
  return overlapping(open(ledger.under(line))) ?? {}
}

type Ledger = ReturnType<typeof openLedger>

/** The records that a line may be, the closest first. */
function openLedger(stored: readonly StoredBill[], lines: readonly LineBill[]) {
  const { find: candidates, ofDays, around, numbered } = findCandidates(stored)
  const within = lookWithin(stored)
  const hasUse = (line: LineBill) => (one: StoredBill) =>
    (isOfTime(line, one) || isReadOn(line, one)) && one.use === line.use
  const [bills, credits] = splitCredits(stored)
  const [, ownCredits] = splitCredits(lines)
  const known = pair(ownCredits, (line) => candidates(line).filter(hasUse(line)))
  /** Taken back before this file, by a credit that is in this file, too, and by one that is new in it. */
  const before = takenBack(bills, credits)
  const again = takenBack(
    bills,
    ownCredits.filter((one) => known.has(one)),
  )
  const now = takenBack(
    bills.filter((one) => !before.has(one)),
    ownCredits.filter((one) => !known.has(one)),
  )
  const isTakenBack = (one: StoredBill) => before.has(one) || again.has(one) || now.has(one)
  const meters = { stored: metersOf(stored), file: metersOf(lines) }
  const corrections = likelyCorrections(
    stored.filter((one) => !isTakenBack(one)),
    lines,
    { hasMeter: false },
  )
  return {
    ofDays,
    /** With the use of the line; of a bill that a credit takes back, only with its number. */
    sameAs: (line: LineBill) =>
      candidates(line)
        .filter(hasUse(line))
        .filter((one) => hasNumber(line, one) || (!now.has(one) && (!before.has(one) || again.has(one)))),
    /** Those that a credit took back: the line may be billed again. */
    takenBack: (line: LineBill) =>
      candidates(line).filter(
        (one) => (before.has(one) && !again.has(one)) || (now.has(one) && hasUse(line)(one)),
      ),
    /** With another use, or other days: the line may correct one. Credits only if their use is nearly the same. */
    others: (line: LineBill) =>
      candidates(line).filter((one) => !isTakenBack(one) && (!line.isCredit || isNear(line, one))),
    /** Of a meter that this file doesn't name: the meter of the line may be another name of it, such as its account. */
    ofOtherMeters: (line: LineBill) => {
      const isNew = !isAmong(line, meters.stored)
      const isOther = (one: StoredBill) =>
        one.isCredit === line.isCredit &&
        isOtherMeter(line, one) &&
        !isAmong(one, meters.file) &&
        (one.use === line.use
          ? isOfMostDays(line, one)
          : isOfDays(line, one) && !before.has(one) && (isNew || hasNumber(line, one)))
      // The one with the same use or number first.
      const rank = (one: StoredBill) => Number(one.use === line.use) + Number(hasNumber(line, one))
      return [...new Set([...ofDays(line), ...around(line)])]
        .filter(isOther)
        .toSorted((one, other) => rank(other) - rank(one))
    },
    holds: (one: StoredBill) => !isTakenBack(one),
    /**
     * For most of the days of the line, with its use and another number, as a portal and an invoice number a bill each in their own way,
     * or with another use, as a bill whose last day was corrected; and what is inside its days, or has them inside its own.
     */
    beside: (line: LineBill, isListedAgain: ReturnType<typeof listedAgain>) =>
      line.isCredit
        ? []
        : [...new Set([...ofDays(line), ...around(line), ...within(line)])].filter(
            (one) =>
              !one.isCredit &&
              !isTakenBack(one) &&
              (isListedAgain(line, one) ||
                ((isInside(line, one) ||
                  isInside(one, line) ||
                  (isOfMostDays(line, one) &&
                    (!isOtherBill(line, one) || corrections.get(line)?.has(one) === true))) &&
                  shareHours(line, one) &&
                  !isKnownApart(line, one, meters))),
          ),
    /** With the number and the use of the line for other days, such as the day of the invoice. */
    ofOtherDays: (line: LineBill) =>
      numbered(line).filter(
        (one) =>
          one.isCredit === line.isCredit &&
          one.use === line.use &&
          !isTakenBack(one) &&
          !shareDays(one, line) &&
          !isKnownApart(line, one, meters),
      ),
    /** Of the meter of the line, for some of its days, with another number or none. */
    under: (line: LineBill) =>
      line.isCredit
        ? []
        : around(line).filter(
            (one) => !one.isCredit && isOnTop(line, one) && shareHours(line, one) && !isTakenBack(one),
          ),
  }
}

/** The names of the meters of each source. */
const metersOf = (all: readonly Bill[]): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    [...Map.groupBy(all, ({ sourceId }) => sourceId)].map(([sourceId, own]) => [
      sourceId,
      new Set(own.flatMap(({ meter }) => meter ?? [])),
    ]),
  )

const isAmong = ({ sourceId, meter }: Bill, names: ReturnType<typeof metersOf>): boolean =>
  meter === null || [...(names.get(sourceId) ?? [])].some((one) => isSameMeter(one, meter))

/** Two bills with their numbers and uses. What is measured in two ways, such as gas by volume and by energy, can't be compared. */
const isOtherBill = (line: LineBill, one: StoredBill): boolean =>
  hasOtherNumber(line, one) && measureOf(line) === measureOf(one) && !isNear(line, one)

/** Two meters, of which this file names both, or both were there before. */
const isKnownApart = (
  line: LineBill,
  one: StoredBill,
  meters: Readonly<Record<'stored' | 'file', ReturnType<typeof metersOf>>>,
): boolean =>
  line.meter !== null &&
  one.meter !== null &&
  !isSameMeter(line.meter, one.meter) &&
  (isAmong(line, meters.stored) || isAmong(one, meters.file))

/** What may be its number in another list, such as that of the ticket beside the number of the invoice. */
const numbersBeside = ({ number, read }: LineBill): string[] =>
  number === '' ? [] : read.raw.map(bareNumber).filter((one) => one !== number && IS_NUMBER.test(one))
const IS_NUMBER = /^(?=.*\d).{3,}$/

/** Finds the records that may be the bill of a line, the closest first: of its days, its number, or most of its days. */
function findCandidates(stored: readonly StoredBill[]) {
  const byDays = Map.groupBy(stored, daysKey)
  const byNumber = Map.groupBy(stored, ({ sourceId, number }) => `${sourceId} ${number}`)
  const byMonth = Map.groupBy(
    stored.flatMap((one) => monthsOf(one).map((month) => ({ one, month }))),
    ({ month }) => month,
  )
  const ofDays = (line: LineBill) =>
    (byDays.get(daysKey(line)) ?? []).filter(({ isCredit }) => isCredit === line.isCredit)
  const numbered = (line: LineBill) =>
    [line.number, ...numbersBeside(line)].flatMap((number) =>
      number === '' ? [] : (byNumber.get(`${line.sourceId} ${number}`) ?? []),
    )
  const around = (line: LineBill) => [
    ...new Set(
      monthsOf(line, { hasDays: true }).flatMap((month) => (byMonth.get(month) ?? []).map(({ one }) => one)),
    ),
  ]
  const found = new Map<LineBill, readonly StoredBill[]>()
  // Each line is looked up for several questions.
  const find = (line: LineBill): readonly StoredBill[] => {
    const known = found.get(line) ?? search(line)
    found.set(line, known)
    return known
  }
  const search = (line: LineBill) => {
    const near = [...(byDays.get(daysKey(line)) ?? []), ...numbered(line), ...around(line)]
    return [...new Set(near)]
      .flatMap((one) => {
        const closeness = one.isCredit === line.isCredit ? closenessOf(line, one) : null
        return closeness === null ? [] : [{ one, closeness, far: figureOf(line).minus(figureOf(one)).abs() }]
      })
      .toSorted((a, b) => b.closeness - a.closeness || a.far.comparedTo(b.far))
      .map(({ one }) => one)
  }
  return { find, ofDays, around, numbered }
}

/** The months of a period of at most two years, in its source. Single days have none, unless they are wanted. */
function monthsOf({ sourceId, first, last }: Bill, { hasDays = false } = {}): string[] {
  const numberOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  const count = numberOf(last) - numberOf(first) + 1
  if ((first === last && !hasDays) || count > 24) return []
  return Array.from({ length: Math.max(0, count) }, (_, at) => `${sourceId} ${numberOf(first) + at}`)
}

const daysKey = ({ sourceId, first, last }: Bill): string => `${sourceId} ${first} ${last}`
const keyOf = (one: LineBill): string =>
  [daysKey(one), one.number, one.meter ?? '', String(one.hours), one.use, one.isCredit].join('\u001F')

/**
 * Each line with one of its records, so that as many as possible have one: the first that is free, or that its line can leave for
 * another.
 */
function pair<Line, One>(lines: readonly Line[], recordsOf: (line: Line) => readonly One[]): Map<Line, One> {
  const ways = new Map(lines.map((line) => [line, recordsOf(line)]))
  const lineOf = new Map<One, Line>()
  const place = (line: Line, tried: Set<One>): boolean =>
    (ways.get(line) ?? []).some((one) => {
      if (tried.has(one)) return false
      tried.add(one)
      const other = lineOf.get(one)
      if (other !== undefined && !place(other, tried)) return false
      lineOf.set(one, line)
      return true
    })
  for (const line of lines) place(line, new Set())
  return new Map([...lineOf].map(([one, line]) => [line, one]))
}

export const lineBill = (read: ReadLine, units: UnitTable): LineBill[] =>
  read.isLeft ? [] : billIn(read, units)

function billIn(read: ReadLine, units: UnitTable): LineBill[] {
  const kept = keptBill(read)
  return kept === null ? [] : [{ ...billOf(kept, units), read }]
}
