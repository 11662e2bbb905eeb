import {
  type Bill,
  figureOf,
  hasOtherNumber,
  isOfDays,
  type LineBill,
  mayBeOfMeter,
  measureOf,
  type StoredBill,
} from './bill-identity.ts'

/**
 * Deliveries of one day are several bills, unless one says that it corrects another: by a word that the user was asked about, and that the other one
 * lacks, or by the number of the other one with letters behind it, as 5102C is that of 5102.
 * @returns pairs of lines, in the order of the file
 */
export function correctedDeliveries(lines: readonly LineBill[]): [LineBill, LineBill][] {
  const ofDay = Map.groupBy(
    lines.filter((one) => isDelivery(one)),
    ({ sourceId, first }) => `${sourceId} ${first}`,
  )
  return [...ofDay.values()].flatMap((own) => {
    const free = new Set(own)
    return own.flatMap((line): [LineBill, LineBill][] => {
      const [other] = own
        .filter((one) => one !== line && free.has(one) && mayCorrect(line, one))
        .toSorted(closestTo(line))
      if (other === undefined) return []
      free.delete(line)
      free.delete(other)
      return [line.read.line < other.read.line ? [line, other] : [other, line]]
    })
  })
}

/** The record of the same day that a line may correct: that with the closest use. */
export const correctedRecord = (line: LineBill, stored: readonly StoredBill[]): StoredBill | undefined =>
  isDelivery(line) ? stored.filter((one) => mayCorrect(line, one)).toSorted(closestTo(line))[0] : undefined

const isDelivery = (one: Bill): boolean => one.first === one.last && !one.isCredit && one.hours === null

function mayCorrect(line: LineBill, one: LineBill | StoredBill): boolean {
  const isOfDay = isOfDays(line, one) && isDelivery(one) && line.sourceId === one.sourceId
  const isOther = hasOtherNumber(line, one) || line.number === '' || one.number === ''
  if (!isOfDay || !isOther || !mayBeOfMeter(line, one) || measureOf(line) !== measureOf(one)) return false
  if (one.number !== '' && line.number.startsWith(one.number))
    if (IS_SUFFIX.test(line.number.slice(one.number.length))) return true
  const [word, its] = [line.read.word, 'read' in one ? one.read.word : undefined]
  // Each word was asked about, and the user was told that this question follows.
  return word !== undefined && word !== its
}
const IS_SUFFIX = /^[A-Z]{1,5}\d?$/

const closestTo =
  (line: Bill) =>
  (a: Bill, b: Bill): number =>
    figureOf(line)
      .minus(figureOf(a))
      .abs()
      .comparedTo(figureOf(line).minus(figureOf(b)).abs())
