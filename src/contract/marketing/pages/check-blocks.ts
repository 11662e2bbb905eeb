import { isEmail, isPhone } from '#contract/contact.ts'
import { isEqual } from '#contract/questions/changes.ts'
import {
  type Block,
  blockTitle,
  isBlockType,
  isSafeLink,
  linksIn,
  picturesIn,
  readBlock,
  storeBlock,
  type StoredBlock,
  textsOf,
} from './blocks.ts'
import { blockPriceFault, nextPriceFault } from './typed-prices.ts'

/** What a layout lets a page do. `locked`: the blocks that it puts on each page itself. */
export type LayoutRules = Readonly<{
  name: string
  /** Types of blocks in the order of the layout; empty: all. */
  allowed: readonly string[]
  /** Blocks follow the order of `allowed`. */
  isOrdered: boolean
  locked: readonly Pick<StoredBlock, 'id' | 'type'>[]
  /** The page gets it now: what it has must be allowed, too. */
  isNew?: boolean
}>

/** Something about a block. An error keeps the page from being saved or published. */
export type BlockFault = Readonly<{ id: string; message: string }>

/** "Block 2 (Text)". */
export const nameOfBlock = (at: number, type: string): string => `Block ${at + 1} (${blockTitle(type)})`

/** Visitors read these as they are. */
function contactFault(block: Block): string | null {
  if (block.type !== 'staff') return null
  const { people } = block.data
  if (people.some(({ phone }) => phone !== '' && !isPhone(phone.trim())))
    return 'enter each phone number like +1 415 555 0100.'
  return people.some(({ email }) => email !== '' && !isEmail(email.trim()))
    ? 'enter each email address like name@example.com.'
    : null
}

type Rules = Readonly<{
  layout: LayoutRules | null
  /** As the blocks are stored now: what isn't known here may stay, but not be added or changed. */
  before: readonly StoredBlock[]
}>

/** Why these blocks can't be saved; empty if they can. */
export function faultsOnSave(blocks: readonly StoredBlock[], rules: Rules): BlockFault[] {
  return blocks.flatMap((one, at) => {
    const message =
      faultOf(one, rules) ??
      contentFault(one) ??
      nextPriceFault(blocks, at) ??
      (rules.layout?.isNew !== true && isKept(one, rules.before)
        ? null
        : layoutFault(blocks, at, rules.layout))
    return message === null ? [] : [{ id: one.id, message: `${nameOfBlock(at, one.type)}: ${message}` }]
  })
}

function faultOf(stored: StoredBlock, { layout, before }: Rules): string | null {
  const locked = layout?.locked.find(({ id }) => id === stored.id)
  if (locked !== undefined)
    return `the layout “${layout?.name ?? ''}” puts this block on the page and locks it.`
  const read = readBlock(stored)
  if (read.state === 'wrong') return read.message
  if (read.state === 'known') return null
  return isKept(stored, before)
    ? null
    : 'this version of the product doesn’t know this type of block, so it can’t be added or changed.'
}

/** A layout may have changed since: what a page has already stays until its next version. */
const isKept = (stored: StoredBlock, before: Rules['before']): boolean =>
  before.some((one) => one.id === stored.id && isEqual(one, stored))

/** Nothing here may harm a visitor, or tell a price that no engine calculated. */
function contentFault(stored: StoredBlock): string | null {
  const read = readBlock(stored)
  if (read.state !== 'known') return null
  const { block } = read
  const links = linksIn(block).map(({ href }) => href.trim())
  if (links.some((href) => href !== '' && !isSafeLink(href)))
    return 'the link of a button must be a page such as /f/test-drive, or start with https://, mailto: or tel:.'
  const days = textsOf(block.data).filter(({ path }) => path.at(-1) === 'endsOn')
  if (days.some(({ text }) => text !== '' && !isDay(text))) return 'enter each last day as a date.'
  const contact = contactFault(block)
  if (contact !== null) return contact
  return blockPriceFault(block)
}

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

function layoutFault(blocks: readonly StoredBlock[], at: number, layout: LayoutRules | null): string | null {
  const type = blocks[at]?.type ?? ''
  if (layout === null || layout.allowed.length === 0) return null
  const place = layout.allowed.indexOf(type)
  if (place < 0)
    return `the layout “${layout.name}” doesn’t allow blocks of this type. Remove it or choose another layout.`
  const earlier = blocks.slice(0, at).map((one) => layout.allowed.indexOf(one.type))
  return layout.isOrdered && earlier.some((other) => other > place)
    ? `the layout “${layout.name}” wants it before the blocks that are above it.`
    : null
}

/** The blocks as they are stored: known ones in the current version of their type. */
export const storedBlocks = (blocks: readonly StoredBlock[]): StoredBlock[] =>
  blocks.map((one) => {
    const read = readBlock(one)
    return read.state === 'known' ? storeBlock(read.block) : one
  })

/** What is missing from these blocks, or not allowed by their layout, before visitors may see them; empty if nothing is. */
export function faultsOnPublish(blocks: readonly StoredBlock[], layout: LayoutRules | null): BlockFault[] {
  const first = blocks.findIndex(({ type }) => type === 'form')
  return blocks.flatMap((one, at) => {
    const read = readBlock(one)
    const message =
      read.state === 'known'
        ? (missingFrom(read.block, { isSecondForm: one.type === 'form' && at !== first }) ??
          missingParts(read.block) ??
          layoutFault(blocks, at, layout))
        : unreadable(one)
    return message === null ? [] : [{ id: one.id, message: `${nameOfBlock(at, one.type)}: ${message}` }]
  })
}

const unreadable = ({ type }: StoredBlock): string =>
  isBlockType(type)
    ? 'its content can’t be read. Remove it, or put it back from a version.'
    : 'this version of the product doesn’t know this type of block. It is kept, but can’t be shown: remove it to publish.'

function missingFrom(block: Block, { isSecondForm }: { isSecondForm: boolean }): string | null {
  switch (block.type) {
    case 'hero':
      return block.data.title === '' ? 'enter a title.' : null
    case 'text':
      return block.data.text === '' && block.data.heading === '' ? 'enter a text.' : null
    case 'picture':
      return block.data.picture.path === '' ? 'choose a picture.' : null
    case 'vehicles':
      return block.data.source === 'chosen' && block.data.vehicleIds.length === 0 ? 'choose vehicles.' : null
    case 'vehicle':
      return block.data.vehicleId === null ? 'choose a vehicle.' : null
    case 'form':
      if (isSecondForm) return 'a page can have only one form.'
      return block.data.formKey === '' ? 'choose a form.' : null
    case 'hours':
    case 'map':
      return block.data.lotId === null ? 'choose a lot.' : null
    case 'staff':
      return block.data.people.some(({ name }) => name === '') ? 'enter a name for each.' : null
    case 'specials':
      return missingFromSpecials(block.data.items)
    case 'gallery':
      return block.data.pictures.some(({ picture }) => picture.path === '') ? 'choose each picture.' : null
    case 'columns':
      return block.data.columns.some(
        (one) => one.heading === '' && one.text === '' && one.picture.path === '',
      )
        ? 'fill in each column.'
        : null
    case 'questions':
      return block.data.items.some(({ question, answer }) => question === '' || answer === '')
        ? 'enter each question with its answer.'
        : null
    case 'countdown':
      return block.data.endsOn === '' ? 'choose the last day.' : null
    case 'action':
      return block.data.button.label === '' ? 'a call to action needs a button.' : null
    default:
      return block.data.text === '' ? 'enter a text.' : null
  }
}

function missingParts(block: Block): string | null {
  if (picturesIn(block).some(({ alt }) => alt === ''))
    return 'describe each picture for people who can’t see it.'
  return linksIn(block).some(({ label, href }) => (label === '') !== (href === ''))
    ? 'a button needs a text and a link.'
    : null
}

function missingFromSpecials(
  items: readonly { title: string; endsOn: string; terms: string }[],
): string | null {
  if (items.some(({ title }) => title === '')) return 'enter a title for each special.'
  return items.some(({ endsOn, terms }) => endsOn === '' || terms === '')
    ? 'each special needs its last day and its terms.'
    : null
}
