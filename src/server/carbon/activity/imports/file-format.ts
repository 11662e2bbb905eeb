import type { FileFormat } from '#contract/carbon/activity/import-mapping.ts'
import { daysOf } from '#contract/days.ts'
import { dateOrderOf } from '#contract/parsing/date-order.ts'
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
 * between cells, the language of the headings, points in dates, and whole numbers beside them. Three digits after the user's own decimal sign,
 * in every line, may be thousands, and are asked about.
 * @param all all values of the columns of figures.
 */
export function detectDecimal(
  all: readonly string[],
  { delimiter, titles, texts }: Pick<SheetColumns, 'delimiter' | 'titles' | 'texts'>,
  { usual, dates }: { usual: FileFormat['decimal']; dates: readonly string[] },
): Detected<FileFormat['decimal']> {
  // The numbers of a workbook have no decimal sign; but "1.234" may have been typed as text.
  const numbers = all.filter((text) => texts?.has(text) !== false)
  const [hasPoints, hasCommas] = [numbers.some(isOnlyWithPoint), numbers.some(isOnlyWithComma)]
  const unclear = numbers.filter(isAmbiguous)
  if (hasPoints !== hasCommas) return { value: hasCommas ? ',' : '.', certainty: 'sure' }
  const isForeign = titles.some((title) => COMMA_LANGUAGES.test(plainHeading(title)))
  if (unclear.length === 0) return { value: usual, certainty: 'sure' }
  const signs = new Set(unclear.map((text) => (splitAmount(text).number.includes('.') ? '.' : ',')))
  if (hasPoints || signs.size > 1) return { value: usual, certainty: 'open' }
  const sign = signs.has('.') ? '.' : ','
  const asThousands = sign === '.' ? ',' : '.'
  const plain = numbers.map((text) => splitAmount(text).number).filter((text) => /^[-−–]?\d+$/.test(text))
  // 31.12.2025 is written where most people use a decimal comma.
  const isDotted = dates.some((text) => /^\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(text.trim()))
  const isCommaFile = delimiter === ';' || isForeign || isDotted
  if (sign === ',') {
    if (usual === '.' && !isCommaFile) return { value: '.', certainty: 'sure' }
    if (usual === ',' && delimiter === ';' && isForeign) return { value: ',', certainty: 'proposed' }
    return { value: asThousands, certainty: 'open' }
  }
  if (isForeign && delimiter === ';') return { value: ',', certainty: 'proposed' }
  if (usual === ',' && isCommaFile) return { value: ',', certainty: 'sure' }
  return { value: asThousands, certainty: plain.length > 0 && usual === ',' ? 'proposed' : 'open' }
}

/** "dd/mm/yyyy" in a heading or above the table. */
const STATED: readonly (readonly [RegExp, 'dmy' | 'mdy'])[] = [
  [/\b(d{1,2}|tt|jj)[-/. ]m{1,2}[-/. ](y|j|a){2,4}\b/i, 'dmy'],
  [/\bm{1,2}[-/. ]d{1,2}[-/. ]y{2,4}\b/i, 'mdy'],
]

/** First and last day of each line; the last may be missing. */
type DayPairs = readonly (readonly [string, string | null])[]

/**
 * The order of day and month: from days above 12, from what the file says about it, and from periods that only one order makes
 * possible or regular. Bills from the first of a month suggest it. Without any of that, only the user knows.
 * @param pairs the days of the lines. @param others the other dates of the file: they are written in the same way.
 */
export function detectOrder(
  pairs: DayPairs,
  {
    others,
    usual,
    titles,
    above,
  }: { others: readonly string[]; usual: FileFormat['order'] } & Pick<SheetColumns, 'titles' | 'above'>,
): Detected<FileFormat['order']> & { example: string } {
  const own = usual === 'dmy' ? 'dmy' : 'mdy'
  const { order, ambiguous } = dateOrderOf(pairs.flat().flatMap((text) => text ?? []))
  const found = (value: FileFormat['order'], certainty: Certainty) => ({
    value,
    certainty,
    example: ambiguous ?? '',
  })
  if (order !== null) return found(order, 'sure')
  if (ambiguous === null) return found(usual, 'sure')
  const stated = STATED.filter(([is]) => [...titles, ...above].some((text) => is.test(text)))
  const [only] = stated
  if (only !== undefined && stated.length === 1) return found(only[1], 'sure')
  const elsewhere = dateOrderOf(others).order
  if (elsewhere !== null) return found(elsewhere, 'sure')
  const possible = (['mdy', 'dmy'] as const).filter((one) => lengthsIn(pairs, one).every((days) => days > 0))
  const regular = (['mdy', 'dmy'] as const).filter((one) => isRegular(lengthsIn(pairs, one)))
  for (const [proved, ...more] of [possible, regular])
    if (proved !== undefined && more.length === 0) return found(proved, proved === own ? 'sure' : 'proposed')
  if (titles.some((title) => COMMA_LANGUAGES.test(plainHeading(title))))
    return found('dmy', own === 'dmy' ? 'sure' : 'proposed')
  return found(own, isOnFirsts(pairs, own) ? 'proposed' : 'open')
}

/** The days of each period; with one date a line, from each date to the next. */
function lengthsIn(pairs: DayPairs, order: 'dmy' | 'mdy'): number[] {
  const read = (text: string) => {
    const day = readImportDay(text, { decimal: '.', order }, 'first')
    return 'value' in day ? [day.value] : []
  }
  if (pairs.some(([, last]) => last !== null))
    return pairs.flatMap(([first, last]) => {
      const [from, to] = [read(first)[0], last === null ? undefined : read(last)[0]]
      return from === undefined || to === undefined ? [] : [daysOf(from, to)]
    })
  const days = [...new Set(pairs.flatMap(([first]) => read(first)))].toSorted()
  return days.slice(1).map((day, at) => daysOf(days[at] ?? day, day))
}

/** Bills of one meter are about equally long. In the wrong order, their months become days, except at the turn of the year. */
const isRegular = (lengths: readonly number[]): boolean =>
  lengths.length > 2 && Math.min(...lengths) > 0 && Math.max(...lengths) <= 3 * Math.min(...lengths)

/** Every date is the first of a month, and there are several months. */
const isOnFirsts = (pairs: DayPairs, order: 'dmy' | 'mdy'): boolean => {
  const texts = pairs.flat().flatMap((text) => text ?? [])
  const days = texts.flatMap((text) => {
    const day = readImportDay(text, { decimal: '.', order }, 'first')
    return 'value' in day ? [day.value] : []
  })
  return new Set(days).size > 1 && days.every((day) => day.endsWith('-01'))
}
