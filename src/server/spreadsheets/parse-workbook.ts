import { readXlsx } from 'hucre/xlsx'
import { boundSheet } from './bound-sheet.ts'
import { type Sheet, SHEET_LIMITS, type SheetBounds, SheetRefusal } from './sheet.ts'
import { unpackWorkbook } from './unpack-workbook.ts'

/**
 * All sheets of a workbook.
 * @param keepsWords whether figures keep the words of their format: 12.5 shown as "12.5 MWh" is that.
 * @throws SheetRefusal if it is invalid or too large
 */
export async function parseWorkbook(
  bytes: Buffer,
  { keepsWords = false, bounds = SHEET_LIMITS }: { keepsWords?: boolean; bounds?: SheetBounds } = {},
): Promise<Sheet[]> {
  const unpacked = unpackWorkbook(bytes, bounds)
  const readStyles = keepsWords && HAS_WORDS.test(formatsIn(unpacked))
  const book = await readXlsx(unpacked, { maxRows: bounds.linesWithEmpty, readStyles }).catch(() => {
    throw new SheetRefusal("This workbook can't be read. Save it as XLSX or CSV again.")
  })
  return book.sheets.map(({ name, rows, cells }) => {
    const shown =
      !keepsWords || cells === undefined
        ? rows
        : rows.map((row, line) =>
            row.map((value, place) => {
              const cell = cells.get(`${line},${place}`)
              return typeof value === 'number'
                ? shownWith(value, cell?.style?.numFmt)
                : apart(value, cell?.richText)
            }),
          )
    return { ...boundSheet(name, shown, bounds), ...(keepsWords && { texts: textsIn(rows) }) }
  })
}

/** Figures with a footnote mark above, or beside one that is struck through, are no number: "1200 | 1". */
function apart<T>(
  value: T,
  runs: readonly Readonly<{ text: string; font?: { vertAlign?: string; strikethrough?: boolean } }>[] = [],
): T | string {
  const isMarked = runs.some(({ font }) => font?.vertAlign !== undefined || font?.strikethrough === true)
  return isMarked && runs.length > 1 && !/\p{L}/u.test(String(value))
    ? runs.map(({ text }) => text.trim()).join(' | ')
    : value
}

/** The texts with a figure that has a decimal or thousands sign. */
const textsIn = (rows: readonly (readonly unknown[])[]): Set<string> =>
  new Set(
    rows.flatMap((row) =>
      row.flatMap((value) =>
        typeof value === 'string' && value.length < 80 && /\d[.,'’\s]\d/.test(value) ? [value.trim()] : [],
      ),
    ),
  )

/** A format with words, figures in quotes or a currency. Most workbooks have none, and reading styles takes memory. */
const HAS_WORDS = /formatCode="[^"]*(&quot;[^"]*[\p{L}\d%]|\\\p{L}|\[\$[^\]-]|\u20ac|\u00a3|\u00a5)/u

/** The part of a workbook that declares its own formats: a hundred megabytes of cells aren't made a text for it. */
const formatsIn = (unpacked: Buffer): string =>
  unpacked.toString(
    'utf8',
    Math.max(0, unpacked.indexOf('numFmts')),
    Math.max(0, unpacked.lastIndexOf('numFmts')),
  )

/** What may stand around the figure of a format: texts in quotes, escaped characters and currencies. */
const PART = /"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\\(.)|([$\u20ac\u00a3\u00a5])|[_*]./gu

/**
 * A figure with the words that its format shows beside it: 12.5 with the format `0.0 "MWh"` is "12.5 MWh", and 1500 with `0.0,"k"`,
 * which shows thousands, "1.5 k". Figures whose format shows nothing beside them stay as they are.
 */
function shownWith(value: number, format: string | undefined): number | string {
  if (format === undefined || !/["\\[$\u20ac\u00a3\u00a5]/u.test(format)) return value
  // Sections for positive and negative figures; dates have none of the placeholders.
  const [section = ''] = format
    // What a spreadsheet stores when words are added to its usual format: `General" MWh"`.
    .replaceAll(/"[^"]*"|\\.|General/gi, (part) => (/^general$/i.test(part) ? '0' : part))
    .split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/)
  let hasWords = false
  const marked = section.replaceAll(
    PART,
    (_all, quoted?: string, currency?: string, escaped?: string, sign?: string) => {
      const words = quoted ?? currency ?? escaped ?? sign ?? ''
      if (/[\p{L}\p{Sc}\d%]/u.test(words)) hasWords = true
      return words.replaceAll(/[#?.,()[\]]/g, ' ').replaceAll('0', ZERO)
    },
  )
  const figure = /[0#?][0#?.,\s]*/.exec(marked)
  if (figure === null || /[ymdhs]/i.test(section.replaceAll(PART, ''))) return value
  const [before, after] = [marked.slice(0, figure.index), marked.slice(figure.index + figure[0].length)]
  if (!hasWords) return value
  const thousands = /,+\s*$/.exec(figure[0])?.[0].trim().length ?? 0
  return `${before.trim()} ${value / 1000 ** thousands} ${after.trim()}`.trim().replaceAll(ZERO, '0')
}
/** A zero in quotes, which is no place of a figure. */
const ZERO = '\u0001'
