import type { FieldKind } from '#contract/lists/list.ts'
import type { ListColumn } from '../list-state.ts'

/** Width of the checkbox column. */
export const SELECT_WIDTH = 52
/** Limits for column widths, as accepted by saved views. */
export const MIN_WIDTH = 48
export const MAX_WIDTH = 1_000

export type Widths = Readonly<Record<string, number>>

/** Default width by kind, in px. */
const KINDS: Readonly<Record<FieldKind, number>> = {
  text: 168,
  texts: 176,
  choice: 116,
  reference: 168,
  references: 200,
  integer: 88,
  decimal: 96,
  money: 96,
  date: 104,
  moment: 116,
  flag: 104,
}
const FIXED = 232
/** Identifiers of a fixed length by field ID. They never shrink: with its end cut off, one looks like another. */
const IDENTIFIERS: Widths = { vin: 172 }
/** Width of a character in a column header, and of everything around the text: padding, arrow, handle. */
const LETTER = 7
const AROUND = 34
/** The first and last column reach to the edge of the page. */
const GUTTER = 16
/**
 * How far text columns shrink before the table scrolls horizontally. Numbers never shrink, because a truncated
 * number is misleading.
 */
const TIGHTEST = 0.75
const WORDS = new Set<FieldKind>(['text', 'texts', 'reference', 'references'])
const NUMBERS = new Set<FieldKind>(['integer', 'decimal', 'money'])

/** For some of the columns. */
export type WidthHints = Readonly<Partial<Record<string, number>>>

type WidthRequest = {
  columns: readonly ListColumn[]
  /** Widths set by the user, kept to the pixel. */
  own: Widths
  /** Widths that differ from the default of the field's kind. */
  hints?: WidthHints
  /** The width available for all columns. */
  room: number
}

/** The width of each column: resized ones keep theirs, the others share the rest in proportion to their content. */
export function spreadWidths({ columns, own, hints = {}, room }: WidthRequest): Widths {
  const bases = columns.map(({ id, field }, place) => {
    const dragged = own[id]
    if (dragged !== undefined) return { id, base: dragged, least: dragged, grows: 0 }
    const isAtEdge = place === 0 || place === columns.length - 1
    const head = field.title.length * LETTER + AROUND
    const whole = IDENTIFIERS[id] ?? 0
    const held = Math.max(whole, hints[id] ?? (field.isFixed ? FIXED : KINDS[field.kind]))
    const edge = isAtEdge ? GUTTER : 0
    const base = Math.max(head, held) + edge
    const least = WORDS.has(field.kind) ? Math.max(head, whole, held * TIGHTEST) + edge : base
    return { id, base, least, grows: base }
  })
  const sum = (of: 'base' | 'least' | 'grows') => bases.reduce((total, column) => total + column[of], 0)
  const spare = room - sum('base')
  const give = sum('base') - sum('least')
  const widths = bases.map(({ id, base, least, grows }): [id: string, width: number] => {
    if (spare >= 0) return [id, Math.floor(base + (grows === 0 ? 0 : spare * (grows / sum('grows'))))]
    return [id, Math.ceil(base - (give === 0 ? 0 : Math.min(1, -spare / give) * (base - least)))]
  })
  const fits = spare >= 0 ? sum('grows') > 0 : -spare <= give
  if (fits) return Object.fromEntries(fill(widths, room))
  const kinds = new Map(columns.map(({ id, field }) => [id, field.kind]))
  const isOf = (kindsOf: ReadonlySet<FieldKind>, id: string) => kindsOf.has(kinds.get(id) ?? 'text')
  const first = bases.find(({ id, grows }) => grows > 0 && isOf(WORDS, id))?.id
  return Object.fromEntries(uncut(widths, { room, first, isNumber: (id) => isOf(NUMBERS, id) }))
}

/**
 * While the table isn't scrolled, a number is in view or not, but never cut at the edge, where "$58,897" would look like "$58".
 * `first` gets what is missing.
 */
function uncut(
  widths: readonly [id: string, width: number][],
  { room, first, isNumber }: { room: number; first: string | undefined; isNumber: (id: string) => boolean },
): readonly [id: string, width: number][] {
  let start = 0
  for (const [at, [id, width]] of widths.entries()) {
    const isAtEdge = start < room && start + width > room
    const isLater = widths.findIndex(([other]) => other === first) < at
    if (isAtEdge && isLater && isNumber(id)) {
      const missing = room - start
      return widths.map(([other, held]) => [other, other === first ? held + missing : held])
    }
    start += width
  }
  return widths
}

/** Rounding differences go to the first column, so that no gap remains after the last and nothing scrolls by a pixel. */
function fill(widths: [id: string, width: number][], room: number) {
  const [first, ...others] = widths
  if (first === undefined) return widths
  const taken = widths.reduce((total, [, width]) => total + width, 0)
  return [[first[0], first[1] + room - taken] as const, ...others]
}

/** Clamps a width to what can be saved. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)))
}
