import { findAmount } from '#contract/pricing/totals/typed-amounts.ts'
import { isVehicleName } from '#contract/pricing/totals/vehicle-amounts.ts'
import { type Block, linksIn, readBlock, type StoredBlock, textsOf } from './blocks.ts'

/** Paths and addresses aren't read by buyers. */
const HIDDEN: ReadonlySet<string> = new Set([
  'path',
  'href',
  'formKey',
  'search',
  'lotId',
  'vehicleId',
  'vehicleIds',
  'email',
  'phone',
])
/** Below their texts these show something else, so that no one reads on into the next block. */
const NOT_TEXTS: ReadonlySet<string> = new Set(['vehicles', 'vehicle', 'form', 'hours', 'map'])

/** The most that a special may take off, in whole units of the currency: more is a discount of a vehicle, which the engine tells. */
const MOST_OFF = 1_000
const OFF = /(?:[$€£]\s?)?(\d[\d,]*)(?:\.\d+)?\s?(?:dollars?\s)?off\b/giu
/** What a saving says that changes a price: "15% off", "Half price", but not "Free car wash". */
const TAKES_OFF = /\d|\bhalf\b|\boff\b|\bprice\b/iu
/** Nothing but a number. */
const BARE = /^[^\p{L}\d%]*\d[\d,.]*[^\p{L}\d%]*$/u
/** What answers these is a price. */
const ASKS = /\b(?:how much|costs?|price[ds]?|pay|payments?|charge|fees?)\b/iu
const NUMBER = /\b(?:\d{1,3}(?:,\d{3})+|\d{4,6})\b/gu

/** The texts of a block that buyers read, with where each is. */
export const shownTexts = ({ data }: Block): ReturnType<typeof textsOf> =>
  textsOf(data).filter(({ path, text }) => text !== '' && !path.some((name) => HIDDEN.has(name)))

/** Why a block may not have these texts: an amount that no engine calculated. Null if they have none. */
export function blockPriceFault(block: Block): string | null {
  const amount = priceIn(block)
  if (amount !== null) return typed(amount)
  return block.type === 'specials' ? specialsFault(block) : null
}

/** Readers read on from one block to the next: "Only $" above "24,990 today". `at`: the second one. */
export function nextPriceFault(blocks: readonly StoredBlock[], at: number): string | null {
  const [above, below] = [blocks[at - 1], blocks[at]]
  if (above === undefined || below === undefined || NOT_TEXTS.has(above.type)) return null
  const [last, first] = [seenIn(above).at(-1), seenIn(below)[0]]
  if (last === undefined || first === undefined) return null
  const amount = priceOf(`${last}\n${first}`)
  return amount === null ? null : `with the end of the block above, ${typed(amount)}`
}

/** What is wrong with the texts of a page besides its blocks: an amount that no engine calculated. */
export const priceFault = (text: string): string | null => {
  const amount = priceOf(text)
  return amount === null
    ? null
    : `“${amount}” is typed by hand. Prices come from the price engine: show vehicles instead.`
}

/** The same of an address that visitors see: "only-19995-dollars". */
export const addressPriceFault = (address: string): string | null => priceFault(asWords(address))

const typed = (amount: string): string =>
  `“${amount}” is typed by hand. Prices come from the price engine: use a block of vehicles.`
const priceOf = (text: string): string | null => findAmount(text, { mayBeOff: false })
const asWords = (address: string): string => address.replaceAll(/[-_+./]/g, ' ')

function priceIn(block: Block): string | null {
  const mayBeOff = block.type === 'specials'
  const all = shownTexts(block)
  // With the descriptions of pictures, as they are read aloud, and without them, as they are seen.
  const orders = [all, all.filter(({ path }) => path.at(-1) !== 'alt')]
  for (const texts of orders.map((order) => order.map(({ text }) => text))) {
    const amount = firstOf([
      ...texts,
      // Readers read on: "Our price" above "19,995 today".
      ...texts.slice(1).map((text, at) => `${texts[at] ?? ''}\n${text}`),
    ])((text) => findAmount(text, { mayBeOff }))
    // A number alone says no more than a price does, unless what follows says what it counts: "12,000" above "happy customers". No answer does.
    const alone = firstOf(
      texts.map((text, at) => ({ text, next: block.type === 'questions' ? '' : (texts[at + 1] ?? '') })),
    )(({ text, next }) =>
      BARE.test(text) && priceOf(`asking ${text} ${next}`) !== null ? text.trim() : null,
    )
    if ((amount ?? alone) !== null) return amount ?? alone
  }
  return answeredIn(block) ?? linkedIn(block)
}

/** "How much is it?" with the answer "About 38,500". */
function answeredIn(block: Block): string | null {
  if (block.type !== 'questions') return null
  return firstOf(block.data.items.filter(({ question }) => ASKS.test(question)))(({ answer }) =>
    firstOf([...answer.matchAll(NUMBER)])(({ 0: number, index }) =>
      priceOf(`asking ${answer.slice(index)}`) === null ? null : number,
    ),
  )
}

/** In the address that a button leads to, or of an email. A filter such as `?maxPrice=20000` is none. */
function linkedIn(block: Block): string | null {
  const hrefs = linksIn(block).flatMap(({ href }) => {
    if (/^(?:tel|mailto):/i.test(href)) return []
    const [path = '', search = ''] = decoded(href).split('?')
    return /[$€£]/u.test(search) ? [path, search] : [path]
  })
  const emails = block.type === 'staff' ? block.data.people.map(({ email }) => email.split('@')[0] ?? '') : []
  return firstOf([...hrefs, ...emails])((address) => priceOf(asWords(address)) ?? priceOf(address))
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

/** An amount may be taken off, but not replace a price. */
function specialsFault(block: Extract<Block, { type: 'specials' }>): string | null {
  const bare = block.data.items.find(({ saving }) => BARE.test(saving))
  if (bare !== undefined)
    return `“${bare.saving.trim()}” doesn’t say what is taken off. Enter it like “$20 off” or “15% off”.`
  const vehicle = block.data.items.find(({ title, saving }) => TAKES_OFF.test(saving) && isVehicleName(title))
  if (vehicle !== undefined)
    return `“${vehicle.saving.trim()}” takes something off “${vehicle.title.trim()}”. Prices of vehicles come from the price engine: use a block of vehicles.`
  const texts = shownTexts(block).map(({ text }) => text)
  const large = firstOf(texts.flatMap((text) => [...text.matchAll(OFF)]))(({ 0: says, 1: digits = '' }) =>
    Number(digits.replaceAll(',', '')) > MOST_OFF ? says.trim() : null,
  )
  return large === null
    ? null
    : `“${large}” is more than $${MOST_OFF.toLocaleString('en-US')} off. Such offers come from the price engine: use a block of vehicles.`
}

/** What is seen of a block, without the descriptions of pictures. */
function seenIn(stored: StoredBlock): string[] {
  const read = readBlock(stored)
  if (read.state !== 'known') return []
  return shownTexts(read.block).flatMap(({ path, text }) => (path.at(-1) === 'alt' ? [] : [text]))
}

/** The first of several that isn't null. */
const firstOf =
  <T>(all: readonly T[]) =>
  (find: (one: T) => string | null): string | null => {
    for (const one of all) {
      const found = find(one)
      if (found !== null) return found
    }
    return null
  }
