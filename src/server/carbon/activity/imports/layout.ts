import { createHash } from 'node:crypto'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportField, ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { isDocument } from './bill-words.ts'
import { plainHeading, unitInHeading } from './column-roles.ts'
import { withoutEmpty } from './filled-columns.ts'
import type { ImportContext } from './import-context.ts'
import { isMonth } from './import-day.ts'
import { METERS } from './meter-words.ts'
import { currenciesIn } from './read-cost.ts'
import { usedColumn } from './read-quantity.ts'
import { filledOf, type SheetColumns } from './sheet-columns.ts'

const whole = (words: string): RegExp => new RegExp(`^(${words})$`)

/** Headings that mean one thing only, by the field that they may be. Every other heading is confirmed by a person once. */
const CLEAR: Partial<Record<ImportField, RegExp>> = {
  facility: whole(
    'facility|site|location|building|store|facility code|site code|facility name|site name|standort|sitio',
  ),
  source: whole('source|source type|fuel|fuel type|utility|commodity|energy type'),
  periodStart: whole(
    '((bill|billing|service|period|usage) )?(from|start)( date)?|(bill|billing|service|usage)? ?(month|period)|von|du|desde|date|datum|fecha|timestamp|time ?stamp|date ?time|interval start',
  ),
  periodEnd: whole('((bill|billing|service|period|usage) )?(to|end|until|through)( date)?|bis|au|hasta'),
  readDate: whole(
    'date|(meter )?read(ing)? date|(delivery|transaction|service|purchase) date|datum|fecha|lieferdatum|ablesedatum',
  ),
  year: whole('year'),
  time: whole('time|(start|interval|hour|from) ?(time|start)?'),
  unit: whole('unit|units|uom|unit of measure|einheit|unite|unidad'),
  meterFrom: whole('(previous|start|opening|old) (meter )?read(ing)?|start reading|reading start'),
  meterTo: whole(
    '(current|present|end|closing|new) (meter )?read(ing)?|(meter )?reading|end reading|reading end',
  ),
  multiplier: whole('(meter )?multiplier'),
  cost: whole('(total )?(costs?|charges|amount)( (usd|eur|gbp|cad|[$€£]))?|kosten|betrag|total|cout|coste'),
  priceYear: whole('price year'),
  factor: whole('factor'),
  quality: whole('(data )?quality'),
  reference: whole('(bill|invoice|reference|document)( (no|number|id))?'),
  comment: whole('comments?|notes?|remarks?'),
}
const CLEAR_QUANTITY = whole(
  '|usage|use|used|consumption|consumed|quantity|qty|verbrauch|consommation|consumo',
)
/** Columns that say nothing about the use. */
const BESIDE = whole(
  '(account|meter|customer|invoice|bill|card|vehicle|reference)( (no|number|id|name))?|(billing )?days|currency|vendor|supplier|provider|address|city|state|zip|driver|odometer|plate|(record )?id|name',
)

/** `unused`: the places of columns that no field takes. `sheets`: all sheets with tables, of which `sheet` is read. */
type Beside = Pick<ImportContext, 'units'> & {
  unused: readonly number[]
  sheet: string
  sheets: readonly string[]
  /** The lines of the table that were left out as text. */
  notes: readonly string[]
  /** What is used of it though the file doesn't say so, with its question: units, and which days periods end on. */
  guessed: readonly string[]
  /** The places of figures one of which is the use. */
  figures: readonly number[]
}

/**
 * What a person confirms once before a file is imported: which columns were read as what, below which lines.
 * @returns `key`: the answer that confirms it. `isConfirmed`: given, for this or an earlier file of the same layout, or all headings
 * mean one thing only, which is `isPlain`.
 */
export function checkLayout(
  columns: SheetColumns,
  mapping: ImportMapping,
  beside: Beside,
): ImportPreview['layout'] & { isPlain: boolean } {
  const words = wordsBeside(columns, mapping, beside.unused)
  const values = valuesBeside(
    columns,
    mapping,
    beside.unused.filter((place) => !beside.figures.includes(place)),
  )
  const notes = [...beside.notes, ...words.all]
  const filled = withoutEmpty(mapping, columns)
  const own = Object.entries(filled.columns).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const parts = [
    // As they are written: a sign in a heading may be all that tells what was used from what was sent back.
    filledTitles(columns),
    own,
    filled.addends,
    mapping.sourceType,
    columns.unit,
    beside.guessed,
    values,
    currenciesIn(columns, mapping.columns.cost),
    // A meter is in one place.
    values.length > 0 ? mapping.facilityId : null,
    [
      sheetName(columns, beside.sheet),
      ...columns.above.map(withoutBill),
      ...beside.notes.map((text) => (SCALES.test(text) ? withoutDays(text) : lasting(text))),
    ],
    [...new Set(words.lasting.map(lasting))].toSorted(),
    [...new Set(beside.sheets.map((sheet) => sheetName(columns, sheet)))].toSorted(),
  ]
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  const hasEndDay = beside.guessed.some((one) => one.startsWith('endDay'))
  const isPlain = values.length === 0 && !hasEndDay && isClear(columns, mapping, { ...beside, notes })
  return {
    key,
    isConfirmed: isPlain || mapping.answers['layout'] === key,
    isPlain,
    notes: notes.slice(0, MOST_NOTES),
  }
}

const MOST_NOTES = 10

/** Headings of what tells one customer, account, meter or site from another. */
const WHOSE = new RegExp(
  `(^| )(?:accounts?|acct|${METERS}|premises?|sites?|service (?:address|agreement|delivery)|customers?|contracts?|vertrag|vertragskonto|kundennummer|konto|compte|contrat|contrato|cuenta|cliente|utenza|aansluiting|unidade consumidora|instalacao|stores?|shops?|branch|address|city|building|location|standort)(?:id|nr|nummer|number)?( |$)`,
)
/**
 * Headings of what differs from bill to bill and says nothing about how a bill is read: days, money, readings, demand, weather, numbers
 * of documents. Their words do: "Estimated" below "Read type".
 */
const OF_ONE_BILL =
  /(^| )(days?|tage|jours|dias|giorni|dagen|date|datum|fecha|due|month|year|period|week|amount|cost|costs|charges?|price|prices|rate per|tax|vat|gst|hst|fees?|balance|payment|paid|credit|subtotal|total|net|betrag|kosten|preis|montant|prix|importe|precio|demand|peak|kw|kva|kvar|kvarh|load|power factor|pf|temp|temperature|hdd|cdd|degree|weather|read|reading|readings|previous|prior|current|present|start|end|last|opening|closing|stand|usage|use|consumption|average|avg|per day|bill|invoice|document|doc|reference|ref|statement|batch|page|record|row|line|seq|sequence|rechnung|rechnungsnummer|facture|factura)( |$)/
/** "Usage type", "Bill code". */
const KIND = /(^| )(type|typ|code|class|kind|art|flag|mode|category|status|indicator|basis|level)( |$)/
/** Who drove or delivered, and free text, whose words are compared by themselves. */
const OF_NO_MATTER =
  /(^| )(drivers?|vehicles?|plates?|odometer|cards?|vendors?|suppliers?|providers?|currency|notes?|comments?|remarks?)( |$)/

/**
 * The few values of columns that aren't imported, but may say how the others are to be read: "Export", a multiplier, another meter. A
 * file with another value is confirmed again. Columns with many values, or another one in each line, are left out.
 */
function valuesBeside(
  { titles, lines }: SheetColumns,
  { columns }: ImportMapping,
  unused: readonly number[],
): string[] {
  // Beside a stated use, a multiplier isn't used.
  const multiplier = columns.quantity === undefined ? undefined : columns.multiplier
  const places = [columns.reference, columns.comment, multiplier, ...unused]
  return places.flatMap((place) => {
    const title = titles[place ?? -1]
    if (place === undefined || title === undefined) return []
    const plain = plainHeading(title)
    const isNumber = place === columns.reference && !WHOSE.test(plain)
    const isOfOne = (isNumber || OF_ONE_BILL.test(plain)) && !SCALES.test(title) && !KIND.test(plain)
    const isWhose = WHOSE.test(plain) && !isOfOne
    const all = [...new Set(lines.map(({ cells }) => cells[place]?.trim() ?? ''))].filter(Boolean)
    const values = isOfOne ? all.filter((text) => !/\d/.test(text) && !isMonth(`${text} 2025`)) : all
    const isOfEach = lines.length > 2 && all.length === lines.length
    const isIgnored =
      OF_NO_MATTER.test(plain) ||
      (isOfOne && place === columns.reference) ||
      (isWhose && columns.facility !== undefined)
    if (isIgnored || isOfEach || values.length > (isWhose ? MOST_NAMES : MOST_NOTES)) return []
    return values.toSorted().map((value) => `${title}: ${value.slice(0, 100)}`)
  })
}
const MOST_NAMES = 40

/**
 * What the columns that name or explain a bill say in words: "natural gas bill" in a note, "Solar" as the meter. `lasting`: those that
 * are the same in the next file, or few.
 */
function wordsBeside(
  { lines }: SheetColumns,
  { columns }: ImportMapping,
  unused: readonly number[],
): { all: string[]; lasting: string[] } {
  const places = [columns.comment, columns.reference, ...unused].filter((place) => place !== undefined)
  const found = places.map((place) => ({
    // Numbers of bills are others in the next file.
    isLasting: place !== columns.reference,
    texts: [...new Set(lines.map(({ cells }) => cells[place]?.trim() ?? ''))].filter(
      (text) =>
        // "in MWh", "x1000", "50%", "1/2"; but numbers of bills have letters.
        (place === columns.comment
          ? /\p{L}|[×*]\s?\d|%|\d\s?\/\s?\d/u.test(text)
          : /\p{L}{4}/u.test(lasting(text))) && !isDocument(text),
    ),
  }))
  return {
    all: found.flatMap(({ texts }) => texts),
    lasting: found.flatMap(({ isLasting, texts }) => (isLasting && texts.length <= MOST_NOTES ? texts : [])),
  }
}

/** What the name of a sheet says: nothing in "Sheet1", "Bills" and "Jan 2025", but "Natural gas", "x1000" and "2.8.0" do. A text file has no sheets. */
function sheetName({ delimiter }: SheetColumns, sheet: string): string {
  const name = delimiter === null ? withoutDays(sheet) : ''
  return GENERIC.test(name) ? '' : name
}
const GENERIC =
  /^((sheet|tabelle|feuil|hoja|foglio|blad|planilha|arkusz|ark)[\s_]*\(?\d{0,3}\)?|(data|table|report|bills?|usage|use|consumption|readings?|invoices?|lines?|results?|history)?[\s_]*((0[1-9]|1[0-2])(\d{2})?|20\d{2}(0[1-9]|1[0-2]))?)$/

/** A text without what differs from file to file: numbers, days and months. */
const lasting = (text: string): string =>
  text
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !isMonth(`${word} 2025`))
    .join(' ')

/** A text with its numbers, but without days, months, years and times: "report 7" of "Report 7, 1 to 31 Jan 2025 10:15". */
const withoutDays = (text: string): string =>
  asWritten(text)
    .replaceAll(/\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?/g, ' ')
    .replaceAll(/\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(\d{4}|\d{2})(?!\d)/g, ' ')
    .replaceAll(/(?<![\d.,])(\d{1,2}[\s/.-]+)?20\d{2}([/.-]\d{1,2})?(?![\d.,]*\d)/g, MONTH)
    .replaceAll(/\bq[1-4]\b/g, MONTH)
    .replaceAll(/\p{L}+/gu, (word) => (isMonth(`${word} 2025`) ? MONTH : word))
    .replaceAll(
      new RegExp(`(\\d{1,2}(st|nd|rd|th|\\.)?[\\s-]*)?${MONTH}[\\s,-]*(\\d{1,2}(st|nd|rd|th)?(?!\\d))?`, 'g'),
      ' ',
    )
    .replaceAll(/\s+/g, ' ')
    .trim()
/** Stands for a month or a year. */
const MONTH = '\u0001'

function isClear(
  columns: SheetColumns,
  mapping: ImportMapping,
  { units, unused, sheet, sheets, notes }: Beside,
): boolean {
  const { titles, above, others, isWide, unit } = columns
  if (
    above.length + notes.length + others.length + mapping.addends.length > 0 ||
    sheets.length > 1 ||
    sheetName(columns, sheet) !== '' ||
    isWide ||
    unit !== null
  )
    return false
  const titleAt = (place: number | undefined) => titles[place ?? -1] ?? ''
  const used = titleAt(usedColumn(mapping))
  // The first period of a year isn't always January.
  if (
    mapping.columns.year !== undefined &&
    !/month|monat|mois|mes\b/i.test(titleAt(mapping.columns.periodStart))
  )
    return false
  const mapped = Object.values(mapping.columns).map(titleAt)
  if (mapped.some((title) => !PLAIN.test(title))) return false
  const unitOfUse = unitInHeading(used, units)
  const hasUnit = unitOfUse !== null || mapping.columns.unit !== undefined
  const isReading = mapping.columns.quantity === undefined
  const rest = plainHeading(unitOfUse === null ? used : used.replace(unitOfUse, ' '))
  // Whether a stated use was multiplied already.
  if (!isReading && mapping.columns.multiplier !== undefined) return false
  const isUseClear = isReading ? hasUnit : hasUnit && CLEAR_QUANTITY.test(rest)
  return (
    isUseClear &&
    Object.entries(mapping.columns).every(
      ([field, place]) =>
        field === 'quantity' ||
        (isField(field) && CLEAR[field]?.test(plainHeading(withoutUnit(titleAt(place), units))) === true),
    ) &&
    unused.every((place) => BESIDE.test(plainHeading(titleAt(place))))
  )
}

/** Headings without signs that may change what they mean: "kWh -", "A+", "kWh ↑", "Cost ₫". */
const PLAIN = /^(?:[\p{L}\p{M}\p{N}\s_().:,#$€£'’]|(?<=\p{L})-(?=\p{L}))*$/u

/** The headings of columns with values; in a file with a column a month, only the others. */
const filledTitles = ({ titles, lines, isWide, head }: SheetColumns): readonly string[] =>
  isWide ? [head] : filledOf(titles, lines).map(asWritten)

const asWritten = (text: string): string =>
  text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** What changes the meaning of a figure wherever it stands, with its number: "Multiplier: 40", "kWh x 1000", "OBIS 2.8.0". */
const SCALES =
  /mult|metering|export|(bill|usage|net) meter$|faktor|factor|facteur|ratio|scale|coeff|constant|konstant|wandler|power|ten|exponent|obis|register|channel|kanal|direction|richtung|sign|share|%|[x×*]\s?\d|\d\s?(k|m|g)wh/i
/**
 * A line above the table without what differs from bill to bill: days, the number of a document, and sums. Any other number may say how
 * to read the table: "Reading 1.8.0", "Usage per 1000".
 */
function withoutBill(text: string): string {
  const named = asWritten(text).replaceAll(DOCUMENT, '$1 ').replaceAll(PAGES, ' ')
  const rest = withoutDays(named)
  // "Total 1,500 kWh", but not "Total in 1000 kWh".
  const sums = SUM.test(rest)
    ? rest.replaceAll(/[$€£]?\d[\d.,' ]*/g, (sum) => (/^10*$/.test(sum.replaceAll(/\D/g, '')) ? sum : ' '))
    : rest
  return sums.replaceAll(/\s+/g, ' ').trim()
}
const SUM = /(^| )(total|sum|subtotal|balance|due|paid|payment|gesamt|summe|saldo|montant|importe)( |:|$)/
const PAGES = /\b(page|seite|pagina) \d+( (of|von|de|di) \d+)?/g
const DOCUMENT =
  /\b(invoice|bill|statement|document|receipt|reference|ref|order|ticket|transaction|report|batch|file|rechnung|rechnungsnummer|beleg|facture|factura|fattura)(?: (?:no|nr|number|id|num)\b)?[.:#\s]+(?=\S*\d)[\p{L}\d][\p{L}\d/_-]{3,}(?= |$)/gu

const isField = (field: string): field is ImportField => Object.hasOwn(CLEAR, field)

/** "Current reading (kWh)". */
const withoutUnit = (title: string, units: ImportContext['units']): string =>
  title.replace(unitInHeading(title, units) ?? '', ' ')
