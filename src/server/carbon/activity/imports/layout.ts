import { createHash } from 'node:crypto'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportField, ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import { isDocument } from './bill-words.ts'
import { plainHeading, unitInHeading } from './column-roles.ts'
import type { ImportContext } from './import-context.ts'
import { isMonth } from './import-day.ts'
import { usedColumn } from './read-quantity.ts'
import type { SheetColumns } from './sheet-columns.ts'

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
  /** The units that are used because the file names none. */
  defaultUnits: readonly string[]
}

/**
 * What a person confirms once before a file is imported: which columns were read as what, below which lines.
 * @returns `key`: the answer that confirms it. `isConfirmed`: given, for this or an earlier file of the same layout, or all headings
 * mean one thing only.
 */
export function checkLayout(
  columns: SheetColumns,
  mapping: ImportMapping,
  beside: Beside,
): ImportPreview['layout'] {
  const words = wordsBeside(columns, mapping, beside.unused)
  // Beside a stated use, a multiplier isn't used.
  const { multiplier = -1 } = mapping.columns.quantity === undefined ? {} : mapping.columns
  const codes = codesBeside(columns, multiplier < 0 ? beside.unused : [...beside.unused, multiplier])
  const notes = [...beside.notes, ...words.all]
  const whose = namesOfWhose(columns, mapping)
  const own = Object.entries(mapping.columns).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const parts = [
    columns.head,
    own,
    mapping.addends,
    mapping.sourceType,
    columns.unit,
    beside.defaultUnits,
    whose,
    codes,
    [sheetWords(columns, beside.sheet), ...columns.above, ...beside.notes].map(lasting),
    [...new Set(words.lasting.map(lasting))].toSorted(),
    [...new Set(beside.sheets.map(lasting))].toSorted(),
  ]
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
  return {
    key,
    isConfirmed:
      mapping.answers['layout'] === key ||
      (whose.length === 0 && codes.length === 0 && isClear(columns, mapping, { ...beside, notes })),
    notes: notes.slice(0, MOST_NOTES),
  }
}

const MOST_NOTES = 10

/** Headings of figures that change what a quantity means: a multiplier, a scale, a version. */
const SCALES =
  /(^| )(multiplier|multiplicator|factor|faktor|facteur|ratio|scale|scaling|power|powerof|ten|exponent|uom|version|flow|obis|register|channel|kanal|sign|quality|status|code)( |$)|multiplier|exponent/

/** The few codes of columns that aren't imported: "DR", "-", "N", and figures that are a scale. Another one changes the next file. */
function codesBeside({ titles, lines }: SheetColumns, unused: readonly number[]): string[] {
  return unused.flatMap((place) => {
    const texts = [...new Set(lines.map(({ cells }) => cells[place]?.trim() ?? ''))].filter(Boolean)
    const isScale = SCALES.test(plainHeading(titles[place] ?? ''))
    const codes = texts.filter((text) => text.length < 20 && (isScale || !/\d/.test(text)))
    return codes.length > MOST_NOTES ? [] : codes.toSorted().map((code) => `${titles[place] ?? ''}: ${code}`)
  })
}

/** Headings of what tells one customer, account, meter or site from another, but not one bill from another. */
const WHOSE =
  /(^| )(accounts?|acct|meters?|mpan|mprn|esi ?id|nmi|premises?|sites?|service (point|address|agreement|delivery)|customers?|contracts?|pod|supply point|zahler|zahlernummer|zahlpunkt|marktlokation|malo|vertrag|vertragskonto|kundennummer|konto|compteur|compte|contrat|pdl|prm|cups|contrato|medidor|cuenta|cliente|contatore|utenza|aansluiting|ean|unidade consumidora|instalacao|stores?|shops?|branch|zip|postcode|postal code|plz|address|building|location|tenant|suite|objekt|liegenschaft|filiale|standort|depot|plant|unit (no|number))( |$)/
const NO_NAME =
  /(^| )(read|reading|readings|multiplier|charge|charges|cost|fee|days|type|status|balance)( |$)/

/**
 * Where no column names the facility: the accounts, meters and sites of the file, if they are few. A file of another account may be of
 * another place.
 */
function namesOfWhose({ titles, lines }: SheetColumns, { columns }: ImportMapping): string[] {
  if (columns.facility !== undefined) return []
  const places = titles.flatMap((title, place) => {
    const plain = plainHeading(title)
    return WHOSE.test(plain) && !NO_NAME.test(plain) ? [place] : []
  })
  return places.flatMap((place) => {
    const names = [...new Set(lines.map(({ cells }) => cells[place]?.trim() ?? ''))].filter(Boolean)
    // Numbers of bills differ from line to line.
    return names.length > MOST_NAMES || (lines.length > 2 && names.length === lines.length)
      ? []
      : names.toSorted().map((name) => `${titles[place] ?? ''}: ${name}`)
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
      (text) => /\p{L}{4}/u.test(lasting(text)) && !isDocument(text),
    ),
  }))
  return {
    all: found.flatMap(({ texts }) => texts),
    lasting: found.flatMap(({ isLasting, texts }) => (isLasting && texts.length <= MOST_NOTES ? texts : [])),
  }
}

/** What the name of a sheet says: nothing in "Sheet1", "Bills" and "Jan 2025", but "Natural gas" does. A text file has no sheets. */
const sheetWords = ({ delimiter }: SheetColumns, sheet: string): string =>
  delimiter !== null || GENERIC.test(lasting(sheet)) ? '' : lasting(sheet)
const GENERIC =
  /^(|sheet|tabelle|feuil|hoja|foglio|blad|planilha|arkusz|ark|table|data|export|report|bills?|usage|use|consumption|readings?|invoices?|lines?|results?|history)$/i

/** A line above the table without what differs from file to file: numbers, days and months. */
const lasting = (text: string): string =>
  text
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !isMonth(`${word} 2025`))
    .join(' ')

function isClear(
  columns: SheetColumns,
  mapping: ImportMapping,
  { units, unused, sheet, sheets, notes }: Beside,
): boolean {
  const { titles, above, others, isWide, unit } = columns
  if (
    above.length + notes.length + others.length + mapping.addends.length > 0 ||
    sheets.length > 1 ||
    sheetWords(columns, sheet) !== '' ||
    isWide ||
    unit !== null
  )
    return false
  const titleAt = (place: number | undefined) => titles[place ?? -1] ?? ''
  const used = titleAt(usedColumn(mapping))
  // "kWh -": what was sent back.
  if (/[-−–]\s*\)?\s*$/.test(used)) return false
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

const isField = (field: string): field is ImportField => Object.hasOwn(CLEAR, field)

/** "Current reading (kWh)". */
const withoutUnit = (title: string, units: ImportContext['units']): string =>
  title.replace(unitInHeading(title, units) ?? '', ' ')
