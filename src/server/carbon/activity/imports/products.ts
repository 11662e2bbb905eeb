import { type ColumnRole, isCharge, isPart, isProduct, plainHeading, productIn } from './column-roles.ts'
import type { ImportSource } from './import-context.ts'
import { isFlow } from './generated-lines.ts'
import { DOCUMENT } from './propose-mapping.ts'
import { saysKind } from './read-quantity.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

/** Columns of names, which may contain the word of an energy: "Pacific Gas and Electric". */
const NAMES =
  /merchant|station|supplier|vendor|provider|company|name|address|street|city|site|location|customer|account|driver|lieferant|anbieter|versorger|fournisseur|proveedor|fornitore|leverancier|adresse|kunde|client|comment|note|file/i

/**
 * A file of purchases may have other things than the energy of the source: another fuel, AdBlue, a car wash. If a column of products
 * shows one, every product that isn't clearly that energy is asked about once.
 */
export function settleProducts(lines: readonly ReadLine[], plan: ReadingPlan): void {
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
  for (const { place, role, values } of columns) {
    // A column of kinds of energy, of which none is known: each is asked about.
    const isOfKinds = role === 'source' && new Set(values).size > 1
    const sold = lines.flatMap((read) => {
      const word = read.raw[place]?.trim() ?? ''
      return read.isLeft || read.source === null || word === '' || DOCUMENT.test(word) || isFlow(word)
        ? []
        : [{ read, word, source: read.source, what: productIn(word, read.source.activity) }]
    })
    if (!isOfKinds && !sold.some(({ what }) => what === 'other')) continue
    for (const { read, word, source, what } of sold)
      if (what !== 'own') askProduct(read, { word, source, plan })
  }
}

/** Columns that say what was bought, thrown away or measured: each of their words is asked about, unless it names the source itself. */
const KIND =
  /^gas$|(^| )(refrigerants?|refrigerant type|gas type|type of gas|kaltemittel|kaltemitteltyp|fluide frigorigene|refrigerante|koudemiddel|refrigerante tipo|blend|gwp gas|waste|waste type|type of waste|waste stream|waste category|stream|abfall|abfallart|abfallsorte|dechets?|type de dechets?|residuo|residuos|tipo de residuo|rifiuto|rifiuti|tipo di rifiuto|afval|afvalsoort|material|materials|material type|materiau|matiere|metric|measure|measurement|parameter|indicator|kpi|kennzahl|messgrosse|indicateur|indicador|indicatore|quantity type|value type|measurement type|data type|role|transport mode|mode|travel class|class|vehicle type|vehicle class|leg type|fuel grade|chemical|substance)$/

/**
 * Kinds in a file of one source: another refrigerant, another waste, or "kW" and "Cost" below "Metric". Also a column whose words
 * tell lines for the same days apart, although it isn't known what it is.
 */
export function settleKinds(lines: readonly ReadLine[], plan: ReadingPlan): void {
  const { proposal, mapping, context } = plan
  const mapped = Object.values(mapping.columns)
  const open = lines.filter(({ isLeft, isOpen, source }) => !isLeft && !isOpen && source !== null)
  const columns = proposal.evidence.filter(
    ({ place, role, title, isNumeric, isDate, values }) =>
      !mapped.includes(place) &&
      !isNumeric &&
      !isDate &&
      role !== 'source' &&
      !NAMES.test(title) &&
      !saysKind(title) &&
      values.some((word) => /\p{L}/u.test(word)) &&
      (KIND.test(plainHeading(title)) || (isOpenKind(role) && tellsApart(open, { place, values }))),
  )
  for (const { place } of columns)
    for (const read of open) {
      const word = read.raw[place]?.trim() ?? ''
      const { source } = read
      if (source === null || word === '' || DOCUMENT.test(word) || isFlow(word)) continue
      const title = context.types.find(({ id }) => id === source.sourceType)?.title ?? ''
      if (
        isNamed(word, [source.unit, source.activity.split('/').at(-1) ?? '', title, source.sourceName ?? ''])
      )
        continue
      askProduct(read, { word, source, plan })
    }
}

const isOpenKind = (role: ColumnRole | null): boolean => role === null || role === 'other'

/** Lines of one source for the same days have different words there, which aren't parts of a day or codes. */
function tellsApart(
  lines: readonly ReadLine[],
  { place, values }: { place: number; values: readonly string[] },
): boolean {
  const words = new Set(values)
  if (words.size > MOST_WORDS || [...words].every((word) => isPart(word) || /\d/.test(word))) return false
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

type Asked = { word: string; source: ImportSource; plan: Pick<ReadingPlan, 'questions' | 'context'> }

function askProduct(read: ReadLine, { word, source, plan: { questions, context } }: Asked): void {
  const title = context.types.find(({ id }) => id === source.sourceType)?.title ?? ''
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
