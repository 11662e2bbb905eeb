import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { otherCurrency, splitCurrency } from '#contract/parsing/parse-amount.ts'
import { roleOf } from './column-roles.ts'
import { asSigned, isBlank, readAmount } from './read-amount.ts'
import { type ReadingPlan, type ReadLine, waits } from './read-line.ts'
import { askDecimal, localeOf, mayBeTwo } from './read-quantity.ts'
import type { SheetColumns } from './sheet-columns.ts'

/** What the bill cost. It isn't used in calculations, so a text that can't be read is only a warning. */
export function readCost(read: ReadLine, plan: ReadingPlan): string | null {
  const text = asSigned(read.cells.cost)
  if (plan.mapping.columns.cost === undefined) askCost(plan)
  if (text === undefined || isBlank(text)) return null
  if (mayBeTwo(text, plan) && askDecimal(text, 'cost', plan) === null)
    return waits(read, 'cost', `“${text}” may be two numbers. Say how the file writes numbers.`)
  const found = readAmount(text, localeOf(plan, text))
  const figure = 'value' in found ? new Figure(found.value).toDecimalPlaces(4) : null
  if (figure === null || figure.abs().gte('1e14'))
    return withoutCost(read, `The cost “${text.slice(0, 60)}” isn't an amount.`)
  const why = currencyProblem(text, read, plan)
  const cost = read.isCredit === true ? figure.abs().neg() : figure
  return why === null ? plain(cost) : withoutCost(read, why)
}

/** Several columns may be what the bill cost. Unless the user names one, the costs are left out. */
function askCost({ proposal, questions }: ReadingPlan): void {
  const { choices } = proposal.cost
  if (choices.length === 0) return
  questions.ask({
    id: 'cost',
    field: 'cost',
    text: 'Which column is what the whole bill cost? No heading says so clearly.',
    choices: [...choices, { value: 'none', label: 'None of them: leave the costs out' }],
    proposal: 'none',
  })
}

function withoutCost(read: ReadLine, message: string): null {
  read.problems.push({ field: 'cost', level: 'warning', message })
  return null
}

const currencyColumns = new WeakMap<SheetColumns, number | null>()

/** The place of the column that states the currency of each line: by its heading, or because nothing else is in it. */
export function currencyColumn(columns: SheetColumns): number | null {
  const known = currencyColumns.get(columns)
  if (known !== undefined) return known
  const { titles, lines } = columns
  const isCurrency = (cell: string): boolean => {
    const { number, currencies } = splitCurrency(cell)
    return number === '' && currencies.length > 0
  }
  const found = titles.findIndex((title, place) => {
    if (roleOf(title) === 'currency') return true
    const cells = lines.flatMap((line) => line.cells[place]?.trim() || [])
    return cells.length > 0 && cells.every(isCurrency)
  })
  const place = found === -1 ? null : found
  currencyColumns.set(columns, place)
  return place
}

/** Why a cost isn't kept: it is in another currency than the organization's. A file that names none is asked about. */
function currencyProblem(
  text: string,
  { raw }: ReadLine,
  { columns, mapping, context: { currency }, questions }: ReadingPlan,
): string | null {
  const words = (columns.titles[mapping.columns.cost ?? -1] ?? '')
    .split(/[\s()[\]_,:]+/)
    .filter((word) => word !== '')
  const own = raw[currencyColumn(columns) ?? -1]?.trim() ?? ''
  const part = words.find((word) => /^(p|pence|pennies|ct|cts|cents?|c|¢|rp|rappen|øre|ore)$/i.test(word))
  if (part !== undefined)
    return `The cost “${text}” is in “${part}”, so it is kept only with the line of the file.`
  const title = columns.titles[mapping.columns.cost ?? -1] ?? ''
  if (
    /[$€£]\s?0{3}|\b0{3}s?\b|mill?ion|\b(mio|mln|lakhs?|lacs?|crores?)\b|thousand|tausend|\btsd|miles de|milliers|\([$€£]?k\)|\bk[$€£]|[$€£]k\b/i.test(
      title,
    )
  )
    return `The cost “${text}” is in thousands, so it is kept only with the line of the file.`
  if (currency === null) return null
  const named = [text, ...words, own, ...currenciesAbove(columns)].filter(
    (word) => splitCurrency(word).currencies.length > 0,
  )
  // "45 kr", "45 Kč": a word that isn't a code that is known.
  const isUnknown =
    (own !== '' && splitCurrency(own).currencies.length === 0) ||
    /\p{L}|\p{Sc}/u.test(splitCurrency(text).number.replace(/(?<=\d)\s?cr\b/i, ''))
  if (named.length > 0 || isUnknown) {
    const isOther = isUnknown || named.some((word) => otherCurrency(word, currency) !== null)
    return isOther
      ? `The cost “${text}” isn't in ${currency}, so it is kept only with the line of the file.`
      : null
  }
  // Beside "€10", "10" may be euros as well.
  const foreign = currenciesIn(columns, mapping.columns.cost).find(
    (word) => otherCurrency(word, currency) !== null,
  )
  if (foreign !== undefined)
    return `The cost “${text}” names no currency, but other lines do (${foreign}), so it is kept only with the line of the file.`
  // "Fr.", "kr": currencies of several countries, by words that aren't codes.
  const strange = words.find((word) => OTHER_MONEY.test(word))
  const answer = questions.ask({
    id: 'currency',
    field: 'cost',
    text:
      strange === undefined
        ? `The file doesn't name the currency of its costs. They are read in ${currency}, the currency of the organization.`
        : `In which currency are the costs, “${strange}”?`,
    choices: [
      { value: currency, label: `They are in ${currency}` },
      { value: 'other', label: 'They are in another currency: leave the costs out' },
    ],
    proposal: strange === undefined ? currency : null,
  })
  if (answer === null) return `The cost is in “${strange ?? ''}”. Say whether that is ${currency}.`
  return answer === 'other'
    ? 'The cost is in another currency, so it is kept only with the line of the file.'
    : null
}

const namedCurrencies = new WeakMap<SheetColumns, Map<number | undefined, readonly string[]>>()

/** The currencies that the lines of a file name, in their costs or in a column of their own. */
export function currenciesIn(columns: SheetColumns, cost: number | undefined): readonly string[] {
  const known = namedCurrencies.get(columns) ?? new Map<number | undefined, readonly string[]>()
  namedCurrencies.set(columns, known)
  const before = known.get(cost)
  if (before !== undefined) return before
  const places = [cost, currencyColumn(columns)]
  const named = columns.lines.flatMap(({ cells }) =>
    places.flatMap((place) => splitCurrency(cells[place ?? -1] ?? '').currencies),
  )
  const found = [...new Set(named)].toSorted()
  known.set(cost, found)
  return found
}

const OTHER_MONEY =
  /^(s?fr\.?|frs|francs?|franken|kr\.?|kronor|kroner|krone|z\u0142|zl|k\u010d|kc|ft|forint|lei|ron|huf|czk|bgn|try|tl|\u20ba|\u20b9|rs\.?|rupees?|\u20a9|\u20aa|\u20bd|rub|pesos?|reais|rand|baht|aed|sar|dhs?|\p{Sc})$/iu
const aboveColumns = new WeakMap<SheetColumns, readonly string[]>()
/** What lines above and below a table say about all of its amounts. */
const ABOUT_MONEY =
  /currency|w\u00e4hrung|devise|moneda|divisa|valuta|monnaie|amounts?|betr\u00e4ge|montants?|importes?|importi|bedragen|prices?|preise|costs? (are )?in/i

/** The currencies that a file names once for all of its amounts: "Currency: EUR", "All amounts in CAD". */
function currenciesAbove(columns: SheetColumns): readonly string[] {
  const known = aboveColumns.get(columns)
  if (known !== undefined) return known
  const texts = [
    ...columns.above,
    ...columns.lines.flatMap(({ cells }) => {
      const filled = cells.filter((cell) => cell !== '')
      return filled.length <= 2 ? [filled.join(' ')] : []
    }),
  ]
  const found = texts.flatMap((text) =>
    ABOUT_MONEY.test(text)
      ? text.split(/[\s()[\]:;,./=]+/).filter((word) => splitCurrency(word).number === '' && word !== '')
      : [],
  )
  aboveColumns.set(columns, found)
  return found
}
