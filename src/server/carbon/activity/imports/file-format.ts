import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'
import { daysOf } from '#contract/days.ts'
import { plainHeading } from './column-roles.ts'
import { readImportDay } from './import-day.ts'
import { isAmbiguous, isOnlyWithComma, isOnlyWithPoint, splitAmount } from './read-amount.ts'
import type { SheetColumns } from './sheet-columns.ts'

/** `sure`: the file leaves no doubt. `proposed`: it suggests it. `open`: only the user knows. */
export type Certainty = 'sure' | 'proposed' | 'open'
export type Detected<T> = { value: T; certainty: Certainty }

/** Words of headings in languages with a decimal comma. */
const COMMA_LANGUAGES =
  /(^| )(von|bis|menge|verbrauch|einheit|betrag|zeitraum|rechnungsnummer|zahlerstand|debut|fin|quantite|consommation|montant|periode|desde|hasta|fecha|consumo|importe|cantidad|dal|al|quantita|importo|van|tot|verbruik|hoeveelheid|bedrag|forbrukning|forbrug|fra|til)( |$)/

/**
 * The decimal sign of a file: from values that can be read in one way only, and else from what surrounds them: a semicolon
 * between cells, the language of the headings, and whole numbers beside them. Three digits after the user's own decimal sign,
 * in every line, may be thousands, and are asked about.
 * @param numbers all values of the columns of figures.
 */
export function detectDecimal(
  numbers: readonly string[],
  { delimiter, titles }: Pick<SheetColumns, 'delimiter' | 'titles'>,
  usual: FileFormat['decimal'],
): Detected<FileFormat['decimal']> {
  const [hasPoints, hasCommas] = [numbers.some(isOnlyWithPoint), numbers.some(isOnlyWithComma)]
  const unclear = numbers.filter(isAmbiguous)
  if (hasPoints !== hasCommas) return { value: hasCommas ? ',' : '.', certainty: 'sure' }
  // The numbers of a workbook are numbers.
  if (delimiter === null && !hasCommas) return { value: '.', certainty: 'sure' }
  if (unclear.length === 0) return { value: usual, certainty: 'sure' }
  const signs = new Set(unclear.map((text) => (splitAmount(text).number.includes('.') ? '.' : ',')))
  if (hasPoints || signs.size > 1) return { value: usual, certainty: 'open' }
  const sign = signs.has('.') ? '.' : ','
  const asThousands = sign === '.' ? ',' : '.'
  const plain = numbers.map((text) => splitAmount(text).number).filter((text) => /^[-−–]?\d+$/.test(text))
  const isForeign = titles.some((title) => COMMA_LANGUAGES.test(plainHeading(title)))
  const isCommaFile = delimiter === ';' || isForeign
  if (sign === ',') {
    if (usual === '.' && !isCommaFile) return { value: '.', certainty: 'sure' }
    if (usual === ',' && delimiter === ';' && isForeign) return { value: ',', certainty: 'proposed' }
    return { value: asThousands, certainty: 'open' }
  }
  if (isForeign && delimiter === ';') return { value: ',', certainty: 'proposed' }
  if (usual === ',' && isCommaFile) return { value: ',', certainty: 'sure' }
  return { value: asThousands, certainty: plain.length > 0 && usual === ',' ? 'proposed' : 'open' }
}

/** A usual bill is for a month, two, or a quarter. */
const isUsualPeriod = (days: number): boolean => days >= 20 && days <= 100

/**
 * The order of day and month: from days above 12, from which periods would be backward, and from which would be a month long.
 * @param pairs first and last days; the last may be missing.
 */
export function detectOrder(
  pairs: readonly (readonly [string, string | null])[],
  usual: FileFormat['order'],
): Detected<FileFormat['order']> {
  const parts = pairs.flat().flatMap((text) => {
    const found = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{2,4})/.exec(text?.trim() ?? '')
    return found === null ? [] : [[Number(found[1]), Number(found[2])] as const]
  })
  if (parts.length === 0) return { value: usual, certainty: 'sure' }
  const isDayFirst = parts.some(([first]) => first > 12)
  const isMonthFirst = parts.some(([, second]) => second > 12)
  if (isDayFirst !== isMonthFirst) return { value: isDayFirst ? 'dmy' : 'mdy', certainty: 'sure' }
  const own = usual === 'ymd' ? 'mdy' : usual
  const other = own === 'mdy' ? 'dmy' : 'mdy'
  if (isDayFirst) return { value: own, certainty: 'sure' }
  const lengthsIn = (order: FileFormat['order']): number[] => {
    const read = (text: string) => readImportDay(text, { decimal: '.', order }, 'first')
    const days = pairs.map(([first, last]) => [read(first), last === null ? null : read(last)] as const)
    return days.map(([first, last], at) => {
      const until = last ?? days[at + 1]?.[0] ?? null
      return until === null || !('value' in first) || !('value' in until)
        ? 30
        : daysOf(first.value, until.value)
    })
  }
  const share = (order: FileFormat['order']): number => {
    const lengths = lengthsIn(order)
    return lengths.filter(isUsualPeriod).length / lengths.length
  }
  const isImpossible = (order: FileFormat['order']) => lengthsIn(order).some((days) => days < 1)
  if (pairs.every(([, last]) => last !== null)) {
    const [ownFails, otherFails] = [isImpossible(own), isImpossible(other)]
    if (ownFails !== otherFails)
      return ownFails ? { value: other, certainty: 'proposed' } : { value: own, certainty: 'sure' }
  }
  if (share(other) > 0.8 && share(own) < 0.5) return { value: other, certainty: 'open' }
  return { value: own, certainty: 'sure' }
}
