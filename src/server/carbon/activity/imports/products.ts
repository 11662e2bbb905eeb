import { type ColumnRole, isCharge, isPart, isProduct, plainHeading, productIn } from './column-roles.ts'
import type { ColumnEvidence } from './column-evidence.ts'
import type { ImportSource } from './import-context.ts'
import { ELECTRIC, GAS } from './energy-units.ts'
import { isBilledIn, moveToFitting, namesSources } from './fitting-source.ts'
import { isFlow } from './generated-lines.ts'
import { isDocument } from './bill-words.ts'
import { unitWord } from './read-amount.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'
import { isTariffWord } from './tariff-words.ts'
import { areKinds, isAskedAsWord } from './word-of-line.ts'

/** Columns of names, which may contain the word of an energy: "Pacific Gas and Electric". */
const NAMES =
  /merchant|station|supplier|vendor|provider|company|name|address|street|city|site|location|customer|account|driver|lieferant|anbieter|versorger|fournisseur|proveedor|fornitore|leverancier|adresse|kunde|client|comment|note|file/i

/**
 * A file of purchases may have other things than the energy of the source: another fuel, AdBlue, a car wash. If a column of products
 * shows one, every product that isn't clearly that energy is asked about once.
 * @returns the places of the columns whose words are asked about
 */
export function settleProducts(lines: readonly ReadLine[], plan: ReadingPlan): ReadonlySet<number> {
  const asked = new Set<number>()
  const { proposal, mapping } = plan
  const { facility, source: own, reference, unit } = mapping.columns
  const activities = [...new Set(lines.flatMap(({ source }) => source?.activity ?? []))]
  const isOther = (word: string) => activities.some((activity) => productIn(word, activity) === 'other')
  const columns = proposal.evidence.filter(
    ({ place, role, title, isNumeric, isDate, values }) =>
      !isNumeric &&
      !isDate &&
      ![facility, own, reference, unit].includes(place) &&
      (role === 'source' ||
        isProduct(title) ||
        values.some(isCharge) ||
        (!NAMES.test(title) && values.some((word) => isOther(word)))),
  )
  const headingUnit = proposal.evidence.find(({ place }) => place === mapping.columns.quantity)?.unit ?? ''
  for (const { place, role, title, values } of columns) {
    // A column of kinds of energy, of which none is known: each is asked about.
    const isOfKinds = role === 'source' && new Set(values).size > 1 && !values.every(isTariffWord)
    const isCode = areCodes(values, activities)
    const sold = lines.flatMap((read) => {
      const word = read.raw[place]?.trim() ?? ''
      // "Shop tank" is none of the shop, and B100 beside B101 no fuel.
      const isName =
        !isProduct(title) && ((TANK.test(plainHeading(title)) && ROOM.test(word)) || isCode(word))
      if (read.isLeft || read.source === null || word === '' || isName) return []
      const what = productIn(word, read.source.activity)
      const isSaid = isDocument(word) || isFlow(word) || (what === null && isAskedAsWord(title, word))
      return isSaid ? [] : [{ read, word, source: read.source, what }]
    })
    if (!isOfKinds && !sold.some(({ what }) => what === 'other')) continue
    asked.add(place)
    for (const { read, word, source, what } of sold) {
      const isMoved =
        what === 'other' &&
        sold.some((one) => one.what === 'own') &&
        moveToFitting(
          read,
          { word, unit: unitWord(read.cells) || headingUnit, isProduct: true },
          plan.context,
        )
      if (what !== 'own' && !isMoved) askProduct(read, { word, source, plan })
    }
  }
  return asked
}

const TANK = /(^| )(tanks?|delivered to|delivery (location|point))( |$)/
const ROOM = /^(work)?shop\b|\bparking\b|\b(car )?wash( bay)?\b/i

/** Whether a word with the name of a fuel is one of many codes, such as B100 among the numbers of batches. */
function areCodes(values: readonly string[], activities: readonly string[]): (word: string) => boolean {
  const partsOf = (text: string) => CODE.exec(text.trim())
  const isNone = (text: string) => activities.every((activity) => productIn(text, activity) === null)
  const others = [...new Set(values)].filter((text) => partsOf(text) !== null && isNone(text))
  return (word) => {
    const [, letters, digits] = partsOf(word) ?? []
    const alike = others.map(partsOf).filter((parts) => parts?.[1] === letters)
    return alike.length > 2 || alike.some((parts) => parts?.[2]?.length === digits?.length)
  }
}
const CODE = /^(\p{L}{1,3})[ -]?(\d+)$/u

/** Lines in a unit that their source is never billed in are those of another energy. */
export function settleUnits(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const used = plan.mapping.columns.quantity
  const heading = plan.proposal.evidence.find(({ place }) => place === used)?.unit ?? ''
  const wordOf = ({ cells }: ReadLine) => unitWord(cells) || heading
  const billed = new Map<string, boolean>()
  const isUsual = (word: string, source: ImportSource): boolean => {
    const key = `${source.activity} ${source.unit} ${word}`
    const is = billed.get(key) ?? isBilledIn(word, source, plan.context)
    billed.set(key, is)
    return is
  }
  const hasGas = GAS.test(heading) || lines.some((read) => GAS.test(wordOf(read)))
  const found = lines.flatMap((read) => {
    const { source } = read
    if (read.isLeft || source === null) return []
    const word = wordOf(read)
    // Gas is billed in kWh, too, but not beside therms.
    const isBeside = hasGas && !source.activity.startsWith('electricity') && ELECTRIC.test(word)
    return [{ read, source, word, isOwn: !isBeside && isUsual(word, source) }]
  })
  // A file without a line of its own source may have another heading or be for another source.
  const isMixed = (id: string): boolean => found.some(({ source, isOwn }) => isOwn && source.id === id)
  for (const { read, source, word, isOwn } of found) {
    if (isOwn) continue
    const isMoved =
      isMixed(source.id) && moveToFitting(read, { word, unit: word, isProduct: false }, plan.context)
    if (!isMoved) askProduct(read, { word, source, plan })
  }
}

/** Columns that say what was bought, thrown away or measured: each of their words is asked about, unless it names the source itself. */
const KIND =
  /^gas$|(^| )(refrigerants?|refrigerant type|gas type|type of gas|kaltemittel|kaltemitteltyp|fluide frigorigene|refrigerante|koudemiddel|refrigerante tipo|blend|gwp gas|waste|waste type|type of waste|waste stream|waste category|stream|abfall|abfallart|abfallsorte|dechets?|type de dechets?|residuo|residuos|tipo de residuo|rifiuto|rifiuti|tipo di rifiuto|afval|afvalsoort|material|materials|material type|materiau|matiere|metric|measure|measurement|parameter|indicator|kpi|kennzahl|messgrosse|indicateur|indicador|indicatore|quantity type|value type|measurement type|data type|role|transport mode|mode|travel class|class|vehicle type|vehicle class|leg type|fuel grade|chemical|substance)$/

/**
 * Kinds in a file of one source: another refrigerant, another waste, or "kW" and "Cost" below "Metric". The words of every other column
 * that nothing here reads may say which lines count, too ("Feed-in", "Voorschot", "Recovered"): such a column is asked about once.
 */
export function settleKinds(lines: readonly ReadLine[], plan: ReadingPlan, asked: ReadonlySet<number>): void {
  const { proposal, mapping, questions, context } = plan
  const mapped = Object.values(mapping.columns)
  const open = lines.filter(({ isLeft, isOpen, source }) => !isLeft && !isOpen && source !== null)
  // They wait for other answers first.
  if (open.length === 0) return
  const columns = proposal.evidence.filter(
    ({ place, role, title, isNumeric, isDate, values }) =>
      !mapped.includes(place) &&
      !asked.has(place) &&
      !isNumeric &&
      !isDate &&
      role !== 'source' &&
      !NAMES.test(title) &&
      !areKinds(title, values) &&
      values.some((word) => /\p{L}/u.test(word)),
  )
  for (const { values, ...others } of columns) {
    const column = { ...others, values: values.filter((word) => !isAskedAsWord(others.title, word)) }
    const isKind = KIND.test(plainHeading(column.title))
    if ((!isKind && !mayDecide(column, open)) || namesSources(open, column.place)) continue
    const titles = [...new Set(open.map(({ source }) => titleOf(source, context)))].join(' or ')
    const words = [...new Set(column.values)]
    const shown = words.slice(0, 4).map((word) => `“${word.slice(0, 40)}”`)
    const answer = isKind
      ? 'each'
      : questions.ask({
          id: `column:${column.title.toLowerCase().slice(0, 80)}`,
          field: 'source',
          text: `The column “${column.title.slice(0, 80)}” says ${shown.join(', ')}${words.length > 4 ? ' and others' : ''}. Do all lines count as ${titles}?`,
          choices: [
            { value: 'all', label: 'Yes: all lines count' },
            { value: 'each', label: 'No: ask about each of its words' },
          ],
          proposal: null,
          lines: open.length,
        })
    if (answer === 'all') continue
    for (const read of open) {
      const word = read.raw[column.place]?.trim() ?? ''
      const { source } = read
      if (source === null || (word === '' && isKind) || isAskedAsWord(column.title, word)) continue
      if (answer === null)
        waits(read, 'source', `Say whether all words of “${column.title.slice(0, 80)}” count.`)
      // Who wants to be asked about each word is asked about ordinary ones, too.
      else if (word !== '' && !(isKind && isOwnKind(word, source, context)))
        askProduct(read, { word, source, plan })
    }
  }
}

const titleOf = (source: ImportSource | null, { types }: ReadingPlan['context']): string =>
  types.find(({ id }) => id === source?.sourceType)?.title ??
  source?.sourceLabel ??
  source?.sourceName ??
  'use of this source'

/** Words of ordinary bills and of flows are dealt with elsewhere. */
function isOwnKind(word: string, source: ImportSource, context: ReadingPlan['context']): boolean {
  const names = [
    source.unit,
    source.activity.split('/').at(-1) ?? '',
    titleOf(source, context),
    source.sourceName ?? '',
  ]
  return isDocument(word) || isFlow(word) || isNamed(word, names)
}

/** A few words that differ from line to line, which are no tariffs, people, places or codes. */
function mayDecide({ title, role, place, values }: ColumnEvidence, open: readonly ReadLine[]): boolean {
  const heading = plainHeading(title)
  const words = [...new Set(values)]
  const isChannel = role === 'identifier' && /(^| )(channel|register|canal|kanal)( |$)/.test(heading)
  if (words.length < 2 || words.length > MOST_WORDS || !(isOpenKind(role) || isChannel)) return false
  if (
    DESCRIBES.test(heading) ||
    words.every((word) => isPart(word) || isTariffWord(word) || isFlow(word) || /\d/.test(word))
  )
    return false
  return (!words.every(isDocument) && !READINGS.test(heading)) || tellsApart(open, { place })
}

/** Columns that describe a bill and decide nothing about what was used. */
const DESCRIBES =
  /(^| )(rate|rates|tariff|tarif|tarifa|tariffa|schedule|plan|contract|payment|paid|method|state|region|country|county|zip|department|dept|cost (center|centre)|division|brand|manager|owner|email|phone|contact|weather|season|invoice|month|weekday|week|day|season|quarter|currency|language|voltage|phase|class|segment|program|zone|route|cycle|group|portfolio|meter|tanks?|area|nickname|(approved|entered|created|checked|reviewed|verified|signed|submitted|uploaded|prepared|delivered|filled|ordered) by|delivered to|attachment|link|url|user|created|updated|attribute|estimated|quality|flag)( |$)/
/** The kind of a reading, which only matters if the same days come twice. */
const READINGS =
  /(^| )(read|reader|reading|leitura|lectura|lettura|releve|avlasning|meterstand)( |$)|ablese|ablesung/

/** What a column says whose words are no figures, whatever its heading promises: "Tipo consumo". */
const isOpenKind = (role: ColumnRole | null): boolean => role === null || OPEN.has(role)
const OPEN: ReadonlySet<string> = new Set(['other', 'use', 'amount', 'cost', 'price', 'demand', 'generation'])

/** Lines of one source for the same days have different words there, which aren't parts of a day or codes. */
function tellsApart(lines: readonly ReadLine[], { place }: { place: number }): boolean {
  const sameDays = Map.groupBy(
    lines.filter(({ period }) => period !== null),
    ({ source, period }) => `${source?.id} ${period?.first} ${period?.last}`,
  )
  return [...sameDays.values()].some((own) => new Set(own.map(({ raw }) => raw[place] ?? '')).size > 1)
}
const MOST_WORDS = 20

/** "R-134a" is "HFC-134a", and "kWh" the unit of electricity. */
function isNamed(word: string, names: readonly string[]): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/^(hfc|hcfc|cfc|r)(?=-?\d)|[^a-z\d]/g, '')
  return names.some((name) => name !== '' && bare(name) === bare(word))
}

/**
 * The heading of the quantity, or a title above the table, names another energy than the source: the water of a site in a file of
 * all that it uses, or a bill of gas where electricity is open.
 */
export function settleCarrier(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { columns, mapping } = plan
  const { quantity, meterTo, source: kinds } = mapping.columns
  const hasKinds = kinds !== undefined
  const heading = columns.titles[quantity ?? meterTo ?? -1] ?? ''
  const titles = columns.above.filter((text) => text.length <= 80 && TITLE.test(plainHeading(text)))
  const otherOf = (activity: string): string | null => {
    const says = (text: string) => productIn(text, activity)
    // The heading of the column says more than a title above it.
    const isSaid = hasKinds || says(heading) !== null || titles.some((text) => says(text) === 'own')
    return [heading, ...(isSaid ? [] : titles)].find((text) => says(text) === 'other') ?? null
  }
  const others = new Map<string, string | null>()
  for (const read of lines) {
    const { source } = read
    if (read.isLeft || source === null) continue
    const known = others.get(source.activity)
    const word = known === undefined ? otherOf(source.activity) : known
    others.set(source.activity, word)
    if (word !== null) askProduct(read, { word, source, plan })
  }
}

/** A line above a table that says what it is about, not who sent it. */
const TITLE =
  /(^| )(usage|use|consumption|bills?|billing|invoices?|statement|report|history|readings?|costs?|verbrauch|rechnung|abrechnung|consommation|facture|consumo|factura|consumi|bolletta|verbruik)( |$)|verbrauch/

type Product = { word: string; source: ImportSource; plan: Pick<ReadingPlan, 'questions' | 'context'> }

function askProduct(read: ReadLine, { word, source, plan: { questions, context } }: Product): void {
  const title = titleOf(source, context)
  const answer = questions.ask({
    id: `product:${word.toLowerCase().slice(0, 80)}`,
    field: 'source',
    text: `Line ${read.line} is “${word.slice(0, 80)}”. Does it count as ${title}?`,
    choices: [
      { value: 'leave', label: 'No: leave these lines out' },
      { value: 'count', label: `Yes: they are ${title}` },
    ],
    proposal: null,
  })
  if (answer === null)
    waits(read, 'source', `The line is “${word.slice(0, 80)}”. Say whether it counts as ${title}.`)
  if (answer === 'leave') leave(read, 'source', `Left out, because it is “${word.slice(0, 80)}”.`)
}
