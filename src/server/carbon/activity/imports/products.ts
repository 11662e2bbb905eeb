import { isCharge, isProduct, productIn } from './column-roles.ts'
import { isFlow } from './generated-lines.ts'
import { DOCUMENT } from './propose-mapping.ts'
import { leave, type ReadingPlan, type ReadLine, waits } from './read-line.ts'

/** Columns of names, which may contain the word of an energy: "Pacific Gas and Electric". */
const NAMES =
  /merchant|station|supplier|vendor|provider|company|name|address|street|city|site|location|customer|account|driver|lieferant|anbieter|versorger|fournisseur|proveedor|fornitore|leverancier|adresse|kunde|client|comment|note|file/i

/**
 * A file of purchases may have other things than the energy of the source: another fuel, AdBlue, a car wash. If a column of products
 * shows one, every product that isn't clearly that energy is asked about once.
 */
export function settleProducts(
  lines: readonly ReadLine[],
  { proposal, mapping, questions, context }: ReadingPlan,
): void {
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
    for (const { read, word, source, what } of sold) {
      if (what === 'own') continue
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
  }
}
