import { z } from 'zod'
import { isRecord } from '#contract/questions/reading/reading.ts'

const MAX_BLOCKS = 40
const MAX_ITEMS = 30

// Not trimmed: these are also what an editor shows while someone types. `storeBlock` trims.
const words = (label: string, max: number) =>
  z
    .string(`${label} must be text.`)
    .max(max, `${label} may have at most ${max.toLocaleString('en-US')} characters.`)
const heading = words('Heading', 120)
const longText = words('Text', 5_000)

/** Where a button may lead: a page of the site, a part of the page, a site with https, an email address or a phone. */
const LINKS = [
  /^\/(?![/\\])[^\s\\]*$/,
  /^#[\w-]*$/,
  /^https:\/\/[^\s/?#@\\]+\.[^\s/?#@\\]+(?:[/?#]\S*)?$/i,
  /^mailto:[^\s?]+@[^\s?]+$/i,
  /^tel:\+?[\d().-]+$/i,
]
export const isSafeLink = (text: string): boolean => LINKS.some((link) => link.test(text))

const Link = z.strictObject({
  label: words('Button', 60),
  /** See `isSafeLink`. */
  href: words('Link', 2_000),
})

/** A picture of the media library. `path`: its place there; empty without one. */
const Picture = z.strictObject({
  path: words('Picture', 500),
  alt: words('Alternative text', 200),
})
export type BlockPicture = z.infer<typeof Picture>

const lotId = z
  .string('Choose a lot.')
  .regex(/^[1-9]\d{0,17}$/, 'Choose a lot.')
  .nullable()

const Person = z.strictObject({
  name: words('Name', 100),
  role: words('Role', 100),
  phone: words('Phone', 40),
  email: words('Email', 254),
})

const Special = z.strictObject({
  title: words('Title', 120),
  /** Such as "$20 off" or "15% off". The only place where an amount may be typed: it is no price. Its limit: `typed-prices.ts`. */
  saving: words('Saving', 60),
  text: words('Text', 600),
  /** The last day, `2026-11-30`; the special isn't shown after it. */
  endsOn: words('Last day', 10),
  terms: words('Terms', 1_000),
})

const Question = z.strictObject({ question: words('Question', 200), answer: words('Answer', 2_000) })

const Captioned = z.strictObject({ picture: Picture, caption: words('Caption', 300) })

/** A part of a page beside others. */
const Column = z.strictObject({ heading, text: words('Text', 1_000), picture: Picture, button: Link })
const MAX_COLUMNS = 4

/** How many vehicles a block shows at most. */
export const MAX_VEHICLES = 24

const DATA = {
  hero: z.strictObject({ title: heading, text: words('Text', 400), picture: Picture, button: Link }),
  text: z.strictObject({ heading, text: longText }),
  picture: z.strictObject({ picture: Picture, caption: words('Caption', 300) }),
  vehicles: z.strictObject({
    heading,
    source: z.enum(['search', 'chosen'], 'Choose how vehicles are found.'),
    /** The query of the public list: `make=Ford&body=truck`. */
    search: words('Filter', 1_000),
    vehicleIds: z
      .array(z.string().regex(/^[1-9]\d{0,17}$/, 'Choose vehicles from the list.'))
      .max(MAX_VEHICLES, `Choose at most ${MAX_VEHICLES} vehicles.`),
    most: z
      .number('Show must be a number.')
      .int('Show must be a whole number.')
      .min(1, 'Show at least 1 vehicle.')
      .max(MAX_VEHICLES, `Show at most ${MAX_VEHICLES} vehicles.`),
  }),
  vehicle: z.strictObject({
    heading,
    vehicleId: z
      .string('Choose a vehicle.')
      .regex(/^[1-9]\d{0,17}$/, 'Choose a vehicle.')
      .nullable(),
    hasPhotos: z.boolean('Choose whether photos are shown.'),
    /** With fees and conditional offers, as on the page of the vehicle. */
    hasPrice: z.boolean('Choose whether the price is shown.'),
    hasDetails: z.boolean('Choose whether details are shown.'),
  }),
  form: z.strictObject({ heading, formKey: words('Form', 60) }),
  hours: z.strictObject({ heading, lotId }),
  map: z.strictObject({ heading, lotId }),
  staff: z.strictObject({
    heading,
    people: z.array(Person).max(MAX_ITEMS, `A block can have at most ${MAX_ITEMS} people or departments.`),
  }),
  specials: z.strictObject({
    heading,
    items: z.array(Special).max(MAX_ITEMS, `A block can have at most ${MAX_ITEMS} specials.`),
  }),
  gallery: z.strictObject({
    heading,
    pictures: z.array(Captioned).max(MAX_ITEMS, `A block can have at most ${MAX_ITEMS} pictures.`),
  }),
  columns: z.strictObject({
    heading,
    columns: z.array(Column).max(MAX_COLUMNS, `A block can have at most ${MAX_COLUMNS} columns.`),
  }),
  questions: z.strictObject({
    heading,
    items: z.array(Question).max(MAX_ITEMS, `A block can have at most ${MAX_ITEMS} questions.`),
  }),
  countdown: z.strictObject({
    heading,
    text: words('Text', 400),
    /** Counted to the end of this day, `2026-11-30`; the block isn't shown after it. */
    endsOn: words('Last day', 10),
  }),
  action: z.strictObject({ heading, text: words('Text', 400), button: Link, second: Link }),
  disclaimer: z.strictObject({ text: longText }),
} as const
/** The content of each type. */
export const BLOCK_DATA: Readonly<Record<keyof typeof DATA, z.ZodObject>> = DATA

const of = <T extends keyof typeof DATA>(type: T) =>
  z.object({ id: z.string(), type: z.literal(type), data: DATA[type] })

/** A block whose type this version knows, with its content. */
export const Block = z.discriminatedUnion('type', [
  of('hero'),
  of('text'),
  of('picture'),
  of('vehicles'),
  of('vehicle'),
  of('form'),
  of('hours'),
  of('map'),
  of('staff'),
  of('specials'),
  of('gallery'),
  of('columns'),
  of('questions'),
  of('countdown'),
  of('action'),
  of('disclaimer'),
])
export type Block = z.infer<typeof Block>
export type BlockType = Block['type']
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>

/** A block as it is stored, also of a type that this version doesn't know: nothing of it is lost. */
export const StoredBlock = z.strictObject({
  id: z
    .string('A block needs an ID.')
    .regex(/^[a-z0-9-]{1,40}$/, 'A block needs an ID of letters and digits.'),
  type: z.string('A block needs a type.').regex(/^[a-z][a-z0-9-]{0,39}$/i, 'A block needs a type.'),
  /** Of its content: what an earlier version stored is brought up to date when it is read. */
  v: z.number().int().min(1).max(1_000),
  data: z.record(z.string().max(60), z.unknown()),
})
export type StoredBlock = z.infer<typeof StoredBlock>

export const StoredBlocks = z
  .array(StoredBlock, 'Blocks must be a list.')
  .max(MAX_BLOCKS, `A page can have at most ${MAX_BLOCKS} blocks.`)
  .refine(
    (blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length,
    'Each block needs an ID of its own.',
  )

type Data = Readonly<Record<string, unknown>>
/** Brings the content of a version of a block type to the next one. */
export type Upcaster = (data: Data) => Data

type TypeDeclaration = Readonly<{
  title: string
  /** What it is for, where blocks are chosen. */
  about: string
  /** The first brings version 1 to 2. There is one less than versions. */
  upcasters: readonly Upcaster[]
}>

/** The types of blocks, in the order in which they are offered. */
export const BLOCK_TYPES: Readonly<Record<BlockType, TypeDeclaration>> = {
  hero: { title: 'Hero', about: 'A title with a picture and a button', upcasters: [] },
  text: { title: 'Text', about: 'A heading and paragraphs', upcasters: [] },
  picture: { title: 'Picture', about: 'A picture with a caption', upcasters: [] },
  gallery: { title: 'Gallery', about: 'Pictures side by side', upcasters: [] },
  columns: {
    title: 'Columns',
    about: 'Up to four texts side by side, with pictures and buttons',
    upcasters: [],
  },
  vehicles: { title: 'Vehicles', about: 'Vehicles with their total prices', upcasters: [] },
  vehicle: { title: 'Vehicle', about: 'One vehicle with its photos, price and details', upcasters: [] },
  form: { title: 'Form', about: 'One of your forms', upcasters: [] },
  hours: { title: 'Hours', about: 'Opening hours of a lot, and whether it is open now', upcasters: [] },
  map: { title: 'Map', about: 'Address of a lot with a link to directions', upcasters: [] },
  staff: { title: 'Staff', about: 'People or departments with their numbers', upcasters: [] },
  specials: { title: 'Specials', about: 'Offers of service and parts with an end', upcasters: [] },
  questions: { title: 'Questions', about: 'Questions and answers that open', upcasters: [] },
  countdown: { title: 'Countdown', about: 'How many days are left until the last one', upcasters: [] },
  action: { title: 'Call to action', about: 'A sentence with one or two buttons', upcasters: [] },
  disclaimer: { title: 'Disclaimer', about: 'Terms in small print', upcasters: [] },
}

export const isBlockType = (type: string): type is BlockType => Object.hasOwn(BLOCK_TYPES, type)
export const BLOCK_TYPE_NAMES = Object.keys(BLOCK_TYPES).filter(isBlockType)

/** The version of a type's content that is stored now. */
export const currentVersion = (type: BlockType): number => BLOCK_TYPES[type].upcasters.length + 1

/** Content of an earlier version as the current one has it. */
export function upcast(data: Data, from: number, upcasters: readonly Upcaster[]): Data {
  return upcasters.slice(from - 1).reduce((before, next) => next(before), data)
}

/** A stored block: with its content, with what is wrong with it, or of a type or version that isn't known here. */
export type ReadBlock =
  | Readonly<{ state: 'known'; block: Block }>
  | Readonly<{ state: 'wrong'; type: BlockType; message: string }>
  | Readonly<{ state: 'unknown' }>

/** Reads a stored block and brings it up to date. */
export function readBlock({ id, type, v, data }: StoredBlock): ReadBlock {
  if (!isBlockType(type) || v > currentVersion(type)) return { state: 'unknown' }
  const read = Block.safeParse({ id, type, data: upcast(data, v, BLOCK_TYPES[type].upcasters) })
  if (read.success) return { state: 'known', block: read.data }
  return { state: 'wrong', type, message: read.error.issues[0]?.message ?? 'Its content is wrong.' }
}

/** A known block as it is stored. `keepsSpaces`: someone is typing. */
export function storeBlock(
  { id, type, data }: Readonly<{ id: string; type: BlockType; data: Data }>,
  { keepsSpaces = false } = {},
): StoredBlock {
  const entries = Object.entries(data).map(([name, value]) => [name, keepsSpaces ? value : trimmed(value)])
  return { id, type, v: currentVersion(type), data: Object.fromEntries(entries) }
}

function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (Array.isArray(value)) return value.map(trimmed)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, trimmed(one)]))
}

/** The known blocks in their order. */
export const knownBlocks = (stored: readonly StoredBlock[]): Block[] =>
  stored.flatMap((one) => {
    const read = readBlock(one)
    return read.state === 'known' ? [read.block] : []
  })

const NO_PICTURE = { path: '', alt: '' }
const NO_LINK = { label: '', href: '' }

/** A new block without content. */
export function blankBlock(type: BlockType, id: string): StoredBlock {
  const blank: Readonly<Record<BlockType, Data>> = {
    hero: { title: '', text: '', picture: NO_PICTURE, button: NO_LINK },
    text: { heading: '', text: '' },
    picture: { picture: NO_PICTURE, caption: '' },
    vehicles: { heading: '', source: 'search', search: '', vehicleIds: [], most: 6 },
    vehicle: { heading: '', vehicleId: null, hasPhotos: true, hasPrice: true, hasDetails: true },
    form: { heading: '', formKey: '' },
    hours: { heading: 'Opening hours', lotId: null },
    map: { heading: 'Where we are', lotId: null },
    staff: { heading: 'Our team', people: [] },
    specials: { heading: 'Specials', items: [] },
    gallery: { heading: '', pictures: [] },
    columns: { heading: '', columns: [] },
    questions: { heading: 'Questions', items: [] },
    countdown: { heading: '', text: '', endsOn: '' },
    action: { heading: '', text: '', button: NO_LINK, second: NO_LINK },
    disclaimer: { text: '' },
  }
  return { id, type, v: currentVersion(type), data: blank[type] }
}

/** The title of a block's type; that of an unknown one as it is stored. */
export const blockTitle = (type: string): string =>
  isBlockType(type) ? BLOCK_TYPES[type].title : `“${type}”`

/** The texts of a block, with where each is. Those of lists too. */
export function textsOf(
  data: unknown,
  path: readonly string[] = [],
): { path: readonly string[]; text: string }[] {
  if (typeof data === 'string') return [{ path, text: data }]
  if (Array.isArray(data)) return data.flatMap((one: unknown, at) => textsOf(one, [...path, String(at)]))
  if (!isRecord(data)) return []
  return Object.entries(data).flatMap(([name, value]) => textsOf(value, [...path, name]))
}

/** Everything in a block's content that has the shape of `schema`: all its pictures, or all its links. */
function partsOf<T>(data: unknown, schema: z.ZodType<T>): T[] {
  const read = schema.safeParse(data)
  if (read.success) return [read.data]
  return typeof data === 'object' && data !== null
    ? Object.values(data).flatMap((one: unknown) => partsOf(one, schema))
    : []
}

/** The pictures of a block that were chosen. */
export const picturesIn = ({ data }: Block): BlockPicture[] =>
  partsOf(data, Picture).filter(({ path }) => path !== '')

/** The buttons of a block, also blank ones. */
export const linksIn = ({ data }: Block): z.infer<typeof Link>[] => partsOf(data, Link)
