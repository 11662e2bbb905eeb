import { plainHeading, withoutProducts } from './column-roles.ts'
import { isFlow } from './generated-lines.ts'
import { isTariffWord } from './tariff-words.ts'

/** How fuel is ordered and delivered, which decides nothing about what was delivered. */
const DELIVERY_WAYS =
  /(^| )(keep full|keepfull|will call|pick ?up|on demand|(next|same) day|after hours|full service|auto(matic)? (fill|delivery)|run out|walk in)(?= |$)/g
/** Words that say nothing about whether a bill holds. */
const HARMLESS =
  /^(bills?|billed|billing|invoices?|invoiced|tickets?|tkt|bol|slip|receipts?|statements?|orders?|loads?|drops?|fills?|sales?|purchases?|documents?|lines?|items?|deliver(y|ies|ed)|del|usages?|use|used|consumption|consumed|imported|imports?|received|bezug|verbrauch|consommation|consumo|consumi|metered|metering|charges?|charged|services?|suppl(y|ied)|distribution|transmission|generation|generated|generacion|exports?|exported|surplus|solar|einspeisung|injection|energy|energie|energia|fuels?|products?|oil|heating|commodity|basic|total|net|gross|main|[kmg]?wh|kvarh|therms?|thms?|dth|ccf|mcf|m3|gallons?|gals?|liters?|litres?|original|orig|actual|act|normal|regular|reg|standard|final|monthly|month|cycle|current|active|issued|fulfilled|shipped|paid|unpaid|posted|completed?|ok|valid|approved|closed|settled|partial|full|emergency|bulk|rush|routine|automatic|auto|no|number|dyed|undyed|clear|unleaded|premium|highway|off|on|road|low|ultra|sulfur|sulphur|winter|summer|blend|residential|commercial|industrial|general|small|large|retail|wholesale|customer|account|and|of|the|for|by|per|with|via|to|de|du|des|von|der|di|y|und|et)$/
/** Words that say that a bill doesn't hold, or takes the place of another one. */
const OTHERWISE =
  /^(not|never|un(deliver|bill|invoic)\w*|fail\w*|cancel\w*|void\w*|revers\w*|correct\w*|corr?|adj\w*|revis\w*|rev|re ?bill\w*|replac\w*|reissu\w*|amend\w*|supersed\w*|credit\w*|refund\w*|return\w*|reject\w*|refus\w*|erron\w*|errors?|duplicat\w*|dup|attempt\w*|storn\w*|gutschrift|korr\w*|annul\w*|anulad\w*|avoir|abono|rectif\w*)$/

/** The words of a cell that are no energy, no document and nothing else that every bill may be called. */
function furtherWords(cell: string): string[] {
  const rest = withoutProducts(plainHeading(cell).replaceAll(DELIVERY_WAYS, ' '))
  const words = rest.split(' ').filter((word) => word !== '' && !/\d/.test(word))
  const isEstimate = !/deliver/.test(rest)
  const further = words.filter(
    (word) => !HARMLESS.test(word) && !(isEstimate && /^(estimated|est)$/.test(word)),
  )
  return isTariffWord(further.join(' ')) || isTariffWord(cell) ? [] : further
}

/**
 * Whether a cell with the word of an energy, or of a delivery, says nothing else: "Diesel delivery", but not "Delivery canceled".
 * @param shared words that all lines have, which tell none from another
 */
export const isPlain = (cell: string, shared: ReadonlySet<string>): boolean =>
  (cell.length <= 3 && isFlow(cell)) ||
  furtherWords(cell).every((word) => shared.has(word) && !OTHERWISE.test(word))

/** "Keep full", "Will call": how fuel is delivered. */
export const isDeliveryWay = (cell: string): boolean =>
  /\p{L}/u.test(cell) && plainHeading(cell).replaceAll(DELIVERY_WAYS, ' ').trim() === ''

/** The words that all cells of a column have. */
export function sharedWords(values: readonly string[]): ReadonlySet<string> {
  const [first = [], ...others] = [...new Set(values)].map(furtherWords)
  return new Set(first.filter((word) => others.every((words) => words.includes(word))))
}

/**
 * Whether a cell of any column says that an ordinary bill doesn't hold, or corrects another one, and nothing else: "Electricity (canceled)",
 * "Billed - corrected".
 */
export function saysOtherwise(cell: string): boolean {
  const further = furtherWords(cell)
  const isBeside = plainHeading(cell).split(' ').length > further.length
  return isBeside && further.length > 0 && further.every((word) => OTHERWISE.test(word))
}

/** What such a cell is called without these words: the energy of "Electric - canceled". */
export const withoutOtherwise = (cell: string): string =>
  saysOtherwise(cell)
    ? plainHeading(cell)
        .split(' ')
        .filter((word) => !OTHERWISE.test(word))
        .join(' ')
    : cell
