import { BOLD_END, CELL, CELL_BREAK, FOOTER_END, FOOTER_START, ITEM } from './line-marks.ts'
import {
  CONTACT_KINDS,
  type KnownLabel,
  type LabelKind,
  type LabelSection,
  NAME_KINDS,
  PERSON_KINDS,
} from './label-kinds.ts'
import { listLines } from './list-lines.ts'
import { knownLabel, labelWords, sectionOf } from './mail-labels.ts'

/** Blanks and tabs between a label and its colon: "Full name\t: Rosa". Not before a smile. */
const withColonAtLabel = (line: string): string =>
  line.replaceAll(/[^\S\v]+(?=[:=](?:$|[\s\p{L}\p{N}+]|\(\d))/gu, '')

type LabeledValue = Readonly<{ label: string; value: string; known: KnownLabel | null }>

/** Where a field is: fields of one block are together, under the same heading, and in the same entry of a list or row of a table. */
export type FieldPlace = Readonly<{ block: number; heading: string | null; item: number | null }>
/** A label with its value. `known`: null if the label means nothing to this product. `isBelow`: the value is in the line below. */
export type MailField = LabeledValue & FieldPlace & Readonly<{ isBelow: boolean }>
/** `texts`: the lines that no field holds, such as greetings. `frame`: headings, labels without a value, and what programs write below. */
export type MailFields = Readonly<{
  fields: readonly MailField[]
  texts: readonly string[]
  frame: readonly string[]
}>

/** In lines, and fields: what is beyond stays in one text. */
const MAX_LINES = 2_000
const MAX_FIELDS = 500

/** A short text before a colon. Not a time, an address of a website, or a sentence. */
const INLINE = /^(?:[*•·\-–>]+\s*)?\*{0,2}([^\s:=<>@][^:=<>@\n]{0,60}?)\*{0,2}\s*[:=]\s*\*{0,2}\s*(.*)$/s
const isLabelText = (label: string): boolean => {
  const words = label.trim().split(/\s+/)
  return /\p{L}/u.test(label) && words.length <= 7 && !/[.!]\s|https?$/i.test(label)
}
/** What programs write below the words of a buyer. */
export const FOOTER =
  /unsubscribe|privacy policy|(?:do|please) not reply|all rights reserved|©|\(c\) \d{4}|^\W*powered by|view (?:it |this )?in (?:your )?browser|automat(?:ed|ic) (?:e-?mail|message|notification|reply)|automatically (?:sent|generated)|this (?:e-?mail|message|lead|notification) (?:was|is) |^\W*sent (?:from|by|via) |manage (?:your )?(?:preferences|notifications)/i
const SEPARATOR = /^[^\p{L}\p{N}]*$/u

type Line =
  | { kind: 'empty' }
  | { kind: 'fields'; fields: LabeledValue[] }
  /** A label whose value is in the next line. */
  | { kind: 'label'; text: string; known: KnownLabel }
  /** Labels whose values are in the next row. */
  | { kind: 'head'; text: string; labels: string[] }
  | { kind: 'heading'; text: string; section: LabelSection }
  | { kind: 'text'; text: string }

/** The labels and values of a mail: inline, in two or more columns, in table rows, and labels above their values. */
export function readFields(lines: string): MailFields {
  const reader = new FieldReader(listLines(lines.split('\n').map(withColonAtLabel)))
  reader.readAll()
  return { fields: reader.fields, texts: reader.texts, frame: reader.frame }
}

type Waiting = Extract<Line, { kind: 'label' | 'head' | 'heading' }>
/** The words of a buyer, which go on in the next lines. `paragraph`: the line at which the last one begins. */
type Words = { lines: string[]; paragraph: number }

/** Where the reader is. */
type ReaderState = {
  section: LabelSection | null
  /** The heading of a part about someone else, and which labels of a name it had. */
  other: { heading: string; names: Set<LabelKind> }
  /** Labels of columns, while rows of as many cells follow. */
  columns: Extract<Line, { kind: 'head' }> | null
  waiting: Waiting | null
  words: Words | null
  /** Empty lines were before this one. */
  isApart: boolean
  isFooter: boolean
  place: { block: number; heading: string | null; item: number | null }
  items: number
  /** The block has fields. */
  hasFields: boolean
}

class FieldReader {
  readonly fields: MailField[] = []
  readonly texts: string[] = []
  readonly frame: string[] = []
  private readonly all: readonly string[]
  private readonly state: ReaderState = {
    section: null,
    other: { heading: '', names: new Set() },
    columns: null,
    waiting: null,
    words: null,
    isApart: false,
    isFooter: false,
    place: { block: 0, heading: null, item: null },
    items: 0,
    hasFields: false,
  }

  constructor(all: readonly string[]) {
    this.all = all
  }

  giveUp() {
    if (this.state.waiting !== null) this.frame.push(plain(this.state.waiting.text))
    this.state.waiting = null
  }

  beginBlock(heading: string | null) {
    if (this.state.hasFields)
      this.state.place = { ...this.state.place, block: this.state.place.block + 1, heading: null }
    this.state.hasFields = false
    this.state.place = { ...this.state.place, heading: this.state.place.heading ?? heading }
  }

  beginItem() {
    this.state.hasFields = true
    this.beginBlock(null)
    this.state.items += 1
    this.state.place = { ...this.state.place, item: this.state.items }
    this.state.section = null
    this.state.words = null
  }

  /** Fields of someone else keep their label under their heading. */
  add(found: readonly LabeledValue[], isBelow = false) {
    for (const field of found) {
      const isOfOther = this.state.section === 'other' || this.state.section === 'dealer'
      const kind = isOfOther && field.known === null ? (knownLabel(field.label, null)?.kind ?? null) : null
      if (kind !== null && NAME_KINDS.has(kind)) this.state.other.names.add(kind)
      const label = kind === null ? field.label : `${this.state.other.heading} ${field.label}`
      this.fields.push({ ...field, label, ...this.state.place, isBelow })
      if (isOfOther && field.known !== null && !PERSON_KINDS.has(field.known.kind)) this.state.section = null
    }
    this.state.hasFields = true
    this.state.isApart = false
  }

  /** The last paragraph of the buyer's words is the heading of what follows: the store's name above its number. */
  detachHeading(line: Line) {
    const { words } = this.state
    const kind = line.kind === 'fields' ? line.fields[0]?.known?.kind : undefined
    const isOfPerson = kind !== undefined && (CONTACT_KINDS.has(kind) || NAME_KINDS.has(kind))
    if (words === null || !isOfPerson) return
    const named = signedBy(words.lines.slice(-4).join(' '), this.fields)
    if (named !== null && CONTACT_KINDS.has(kind)) {
      const { block, heading, item } = named
      this.state.place = { block, heading, item }
      this.state.isApart = false
    }
    if (words.paragraph === 0 || named !== null) return
    const paragraph = words.lines.slice(words.paragraph)
    const isSecond = NAME_KINDS.has(kind) && this.fields.some(({ known }) => known?.kind === kind)
    if (this.state.isApart && !(isSecond && paragraph.length === 1)) return
    if (!paragraph.every(isHeadingText)) return
    const last = this.fields.pop()
    if (last === undefined) return
    this.fields.push({ ...last, value: words.lines.slice(0, words.paragraph).join('\n') })
    this.state.hasFields = true
    const read = paragraph.map((text) => ({ text, line: readLine(text, null) }))
    const headings = read.flatMap(({ text, line: one }) => (one.kind === 'fields' ? [] : [text]))
    this.beginBlock(headings[0] ?? null)
    this.frame.push(...headings)
    // A label above the next buyer's name, such as "Date".
    for (const { line: one } of read) if (one.kind === 'fields') this.add(one.fields)
  }

  /** The values of a waiting label, or another row below the same labels. @returns whether the line was one of these */
  readValues(line: Line, raw: string): boolean {
    const { waiting, columns } = this.state
    const above = waiting ?? columns
    const values = above === null ? null : valuesFor(above, line, raw)
    if (above === null || values === null) return false
    if (above.kind === 'head') {
      this.beginItem()
      this.state.columns = above
    }
    this.add(pairsOf(above, values, this.state.section), waiting?.kind === 'label')
    if (waiting === null) return true
    // A heading with a value was a label.
    if (waiting.kind === 'heading' && waiting.section !== 'other') this.state.section = null
    this.state.words =
      waiting.kind === 'label' && waiting.known.kind === 'comments' ? { lines: values, paragraph: 0 } : null
    this.state.waiting = null
    return true
  }

  readEmpty(raw: string) {
    const isBreak = raw.trim() !== ''
    if (isBreak) this.state.words = null
    this.state.isApart = true
    if (isBreak || this.state.words === null) this.beginBlock(null)
  }

  /** A line of the buyer's words. */
  goOn(words: Words, raw: string) {
    if (this.state.isApart) words.paragraph = words.lines.length
    words.lines.push(plain(raw))
    const last = this.fields.pop()
    if (last !== undefined) this.fields.push({ ...last, value: words.lines.join('\n') })
    this.state.isApart = false
  }

  readNew(line: Exclude<Line, { kind: 'empty' }>, raw: string) {
    this.giveUp()
    this.detachHeading(line)
    this.state.words = null
    if (line.kind === 'fields') {
      if (this.state.isApart) this.beginBlock(null)
      this.add(line.fields)
      this.state.section = sectionAfter(line.fields) ?? this.state.section
      const [only] = line.fields
      if (line.fields.length === 1 && only?.known?.kind === 'comments' && !raw.includes(CELL))
        this.state.words = { lines: [only.value], paragraph: 0 }
      return
    }
    if (line.kind === 'text') {
      this.beginBlock(line.text)
      ;(FOOTER.test(line.text) ? this.frame : this.texts).push(line.text)
    } else {
      if (line.kind === 'heading') {
        this.state.hasFields = true
        this.beginBlock(line.text)
        this.state.section = line.section
        this.state.other = { heading: labelOf(line.text), names: new Set() }
      }
      this.state.waiting = line
    }
    this.state.isApart = false
  }

  /** A line that can be what it looks like here. */
  lineAt(at: number, raw: string): Line {
    const line = readLine(raw, this.state.section)
    const isHeading = line.kind === 'heading' && line.section === 'other'
    if (isHeading && this.state.words !== null && !isOfPerson(nextLine(this.all, at)))
      return { kind: 'text', text: line.text }
    const plainKind = line.kind === 'fields' ? knownLabel(line.fields[0]?.label ?? '', null)?.kind : undefined
    if (plainKind === undefined || !NAME_KINDS.has(plainKind)) return line
    // A name begins a part about the buyer, or about the next one.
    const isOther = this.state.section === 'other' || this.state.section === 'dealer'
    if (isOther && !this.state.other.names.has(plainKind)) return line
    if (this.state.section !== 'customer') this.state.section = null
    return readLine(raw, this.state.section)
  }

  readAll() {
    for (const [at, given] of this.all.entries()) {
      if (at >= MAX_LINES || this.fields.length >= MAX_FIELDS) {
        this.giveUp()
        this.texts.push(plain(this.all.slice(at).join('\n')))
        break
      }
      if (given === FOOTER_START || given === FOOTER_END) this.state.isFooter = given === FOOTER_START
      if (this.state.isFooter) {
        if (given !== FOOTER_START && given.trim() !== '') this.frame.push(plain(given))
        continue
      }
      const raw = given.replace(ITEM, '')
      if (raw !== given) {
        this.giveUp()
        this.beginItem()
      }
      const line = this.lineAt(at, raw)
      if (raw !== given && line.kind === 'text') this.frame.push(line.text)
      else if (this.readValues(line, raw)) continue
      else if (line.kind === 'empty') this.readEmpty(raw)
      else if (this.state.words !== null && continues(line, raw)) this.goOn(this.state.words, raw)
      else this.readNew(line, raw)
      if (line.kind !== 'empty' && this.state.columns !== null) {
        this.state.columns = null
        this.state.place = { ...this.state.place, item: null }
      }
    }
    this.giveUp()
  }
}

const nextLine = (all: readonly string[], at: number): Line => {
  const raw = all.slice(at + 1, at + 4).find((line) => !SEPARATOR.test(line)) ?? ''
  return readLine(raw, null)
}

const isOfPerson = (line: Line): boolean => {
  const kind = line.kind === 'fields' ? line.fields[0]?.known?.kind : undefined
  return kind !== undefined && PERSON_KINDS.has(kind)
}

/** Not a sentence. */
const isHeadingText = (line: string): boolean =>
  line.length <= 90 && !/(?<!\b(?:inc|llc|ltd|co|corp|st|ave|rd|blvd))[.!?]$/i.test(line.trim())

/** The buyer's name, if a text has it. */
function signedBy(text: string, fields: readonly MailField[]): MailField | null {
  const wordsOf = (one: string) => one.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const words = new Set(wordsOf(text))
  const isIn = ({ known, value }: MailField) =>
    known !== null &&
    NAME_KINDS.has(known.kind) &&
    wordsOf(value).some((word) => word.length > 2 && words.has(word))
  return fields.find(isIn) ?? null
}

/** "Trade-in: Yes" begins a part of its own; "Trade-in: 2015 Honda Civic" says all of it. */
function sectionAfter(fields: readonly LabeledValue[]): LabelSection | null {
  const last = fields.at(-1)
  return last?.known?.kind === 'tradeIn' && /^(?:yes|y|true)\b/i.test(last.value) ? 'trade' : null
}

/** Whether a line belongs to the words of the buyer above it: until a known label, or what a program writes below. */
function continues(line: Line, raw: string): boolean {
  if (line.kind === 'fields') return line.fields.every(({ known }) => known === null) && !raw.includes(CELL)
  return line.kind === 'text' && !FOOTER.test(raw)
}

function readLine(raw: string, section: LabelSection | null): Line {
  if (SEPARATOR.test(raw)) return { kind: 'empty' }
  const cells = raw.split(CELL).map((cell) => cell.trim())
  if (cells.filter((cell) => cell !== '').length > 1) return readRow(cells, raw, section)
  const text = plain(raw).trim()
  const columns = text.split(/\s{3,}(?=[^\s:=])|\s+\|\s+/)
  const inColumns = columns.length > 1 ? columns.map((one) => inlineField(one, section)) : []
  if (inColumns.length > 0 && inColumns.every((one) => one?.known != null))
    return { kind: 'fields', fields: inColumns.flatMap((one) => one ?? []) }
  const [bold, afterBold] = raw.split(BOLD_END)
  if (bold !== undefined && afterBold !== undefined && afterBold.trim() !== '' && !/[:=]\s*$/.test(bold)) {
    const known = knownLabel(bold, section)
    const value = afterBold.replace(/^\s*[:=–-]\s*/, '').trim()
    if (known !== null && value !== '')
      return { kind: 'fields', fields: [{ label: labelOf(bold), value, known }] }
  }
  const inline = inlineField(text, section)
  if (inline !== null && inline.value !== '') return { kind: 'fields', fields: [inline] }
  const label = labelOf(text)
  const part = sectionOf(label)
  if (part !== null) return { kind: 'heading', text, section: part }
  const known = text.length <= 60 ? knownLabel(label, section) : null
  return known === null ? { kind: 'text', text } : { kind: 'label', text, known }
}

/** A row: label and value, several of them beside each other, or labels above the values of the next row. */
function readRow(cells: readonly string[], raw: string, section: LabelSection | null): Line {
  const text = plain(raw)
  const filled = cells.filter((cell) => cell !== '')
  const known = filled.filter((cell) => knownLabel(labelOf(cell), section) !== null)
  if (filled.length > 2 && known.length > filled.length / 2 && filled.every(isCellLabel))
    return { kind: 'head', text, labels: filled.map(labelOf) }
  const inside = filled.map((cell) => inlineField(plain(cell), section))
  if (inside.every((one) => one !== null && one.value !== ''))
    return { kind: 'fields', fields: inside.flatMap((one) => one ?? []) }
  const own = cells[0] === '' && filled.length % 2 === 0 ? filled : cells
  const labels = own.filter((_cell, at) => at % 2 === 0)
  const isPairs =
    labels.every((cell) => cell === '' || isCellLabel(cell)) &&
    (own.length === 2 ||
      labels.every(
        (cell) => cell === '' || /:\s*$/.test(cell) || knownLabel(labelOf(cell), section) !== null,
      ))
  if (!isPairs) return { kind: 'text', text }
  const fields = labels.flatMap((cell, at): LabeledValue[] => {
    const value = plain(own[at * 2 + 1] ?? '').trim()
    return cell === '' || value === '' ? [] : [fieldOf(labelOf(cell), value, section)]
  })
  return fields.length === 0 ? { kind: 'text', text } : { kind: 'fields', fields }
}

const isCellLabel = (cell: string): boolean =>
  cell.length <= 60 && !cell.includes(CELL_BREAK) && isLabelText(labelOf(cell)) && !/[@$]|\d{5}/.test(cell)

/** Whether a line below an empty label can be its value: forms show labels that nobody filled in. */
function mayBe(kind: LabelKind, text: string): boolean {
  if (kind === 'email') return text.includes('@')
  return kind !== 'phone' || text.replaceAll(/\D/g, '').length >= 7
}

/** The values of a waiting label or row of labels, if the next line has them. */
function valuesFor(
  waiting: Extract<Line, { kind: 'label' | 'head' | 'heading' }>,
  line: Line,
  raw: string,
): string[] | null {
  const cells = raw.split(CELL).map((cell) => plain(cell).trim())
  if (waiting.kind === 'head') {
    const isRow = cells.length === waiting.labels.length && line.kind !== 'head'
    return isRow ? cells : null
  }
  if (line.kind !== 'text' || FOOTER.test(line.text)) return null
  if (waiting.kind === 'label' && !mayBe(waiting.known.kind, line.text)) return null
  if (waiting.kind === 'heading' && !isValueOf(waiting.text, line.text)) return null
  return [line.text]
}

/** "Trade-in" above "2015 Honda Civic", and "Customer" above a name, are labels and no headings. */
function isValueOf(heading: string, text: string): boolean {
  const kind = knownLabel(labelOf(heading), null)?.kind
  if (kind === 'name' || sectionOf(labelOf(heading)) === 'other') return PERSON_NAME.test(text)
  return (
    (kind === 'vehicle' || kind === 'tradeIn') && (/\b(?:19|20)\d\d\b/.test(text) || /:\s*$/.test(heading))
  )
}

function pairsOf(
  waiting: Extract<Line, { kind: 'label' | 'head' | 'heading' }>,
  values: readonly string[],
  section: LabelSection | null,
): LabeledValue[] {
  if (waiting.kind === 'label')
    return [{ label: labelOf(waiting.text), value: values[0] ?? '', known: waiting.known }]
  const labels = waiting.kind === 'head' ? waiting.labels : [labelOf(waiting.text)]
  return labels.flatMap((label, at) => {
    const value = values[at] ?? ''
    return value === '' ? [] : [fieldOf(label, value, section)]
  })
}

function inlineField(text: string, section: LabelSection | null): LabeledValue | null {
  const [, label = '', value = ''] = INLINE.exec(text) ?? []
  if (!isLabelText(label) || value.startsWith('//')) return null
  // A time such as "at 10:30" is no label.
  if (/\d$/.test(label) && /^\d\d\b/.test(value)) return null
  return fieldOf(labelOf(label), value.trim(), section)
}

function fieldOf(label: string, value: string, section: LabelSection | null): LabeledValue {
  const known = knownLabel(label, section)
  const words = labelWords(label)
  // "Contact: Paula Doe", but not "Contact: by email".
  if (words === 'contact') return { label, value, known: PERSON_NAME.test(value) ? known : null }
  // Of German forms. Elsewhere it is a way to reach someone.
  if (words === 'text' && /\p{L}\s+\p{L}/u.test(value))
    return { label, value, known: { kind: 'comments', section: null } }
  return { label, value, known }
}

const PERSON_NAME = /^\p{Lu}[\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]+){0,3}$/u

/** Without marks around it. */
const labelOf = (label: string): string =>
  label
    .replaceAll(BOLD_END, '')
    .replace(/^[\s*•·\-–>]+|[\s*:=–-]+$/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim() || labelWords(label)

const plain = (text: string): string =>
  text
    .replaceAll(BOLD_END, '')
    .replaceAll(CELL_BREAK, '\n')
    .replaceAll(/ *\t */g, '  ')
