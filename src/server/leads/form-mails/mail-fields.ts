import { BOLD_END, CELL, CELL_BREAK } from './line-marks.ts'
import type { KnownLabel, LabelKind, LabelSection } from './label-kinds.ts'
import { knownLabel, labelWords, sectionOf } from './mail-labels.ts'

/** Blanks and tabs between a label and its colon: "Full name\t: Rosa". Not before a smile. */
const withColonAtLabel = (line: string): string =>
  line.replaceAll(/[^\S\v]+(?=[:=](?:$|[\s\p{L}\p{N}+]|\(\d))/gu, '')

/** A label with its value. `known`: null if the label means nothing to this product. */
export type MailField = Readonly<{ label: string; value: string; known: KnownLabel | null }>
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
  | { kind: 'fields'; fields: MailField[] }
  /** A label whose value is in the next line. */
  | { kind: 'label'; text: string; known: KnownLabel }
  /** Labels whose values are in the next row. */
  | { kind: 'head'; text: string; labels: string[] }
  | { kind: 'heading'; text: string; section: LabelSection }
  | { kind: 'text'; text: string }

/** The labels and values of a mail: inline, in two or more columns, in table rows, and labels above their values. */
export function readFields(lines: string): MailFields {
  const fields: MailField[] = []
  const texts: string[] = []
  const frame: string[] = []
  const all = lines.split('\n').map(withColonAtLabel)
  let section: LabelSection | null = null
  // Labels of columns, while rows of as many cells follow.
  let columns: Extract<Line, { kind: 'head' }> | null = null
  let waiting: Extract<Line, { kind: 'label' | 'head' | 'heading' }> | null = null
  // The words of a buyer go on in the next lines.
  let isOpen = false
  const giveUp = () => {
    if (waiting !== null) frame.push(waiting.text)
    waiting = null
  }
  for (const [at, raw] of all.entries()) {
    if (at >= MAX_LINES || fields.length >= MAX_FIELDS) {
      giveUp()
      texts.push(plain(all.slice(at).join('\n')))
      break
    }
    const line = readLine(raw, section)
    const above: Extract<Line, { kind: 'head' }> | null = waiting === null ? columns : null
    const row: string[] | null = above === null ? null : valuesFor(above, line, raw)
    if (above !== null && row !== null) {
      fields.push(...pairsOf(above, row, section))
      continue
    }
    columns = null
    const values: string[] | null = waiting === null ? null : valuesFor(waiting, line, raw)
    if (waiting !== null && values !== null) {
      fields.push(...pairsOf(waiting, values, section))
      // A heading with a value was a label.
      if (waiting.kind === 'heading') section = null
      isOpen = waiting.kind === 'label' && waiting.known.kind === 'comments'
      if (waiting.kind === 'head') columns = waiting
      waiting = null
      continue
    }
    if (line.kind === 'empty') {
      if (SEPARATOR.test(raw) && raw.trim() !== '') isOpen = false
      continue
    }
    const goesOn: boolean = isOpen && continues(line, raw)
    if (goesOn) {
      const last = fields.pop()
      if (last !== undefined) fields.push({ ...last, value: `${last.value}\n${plain(raw)}` })
      continue
    }
    giveUp()
    isOpen = false
    if (line.kind === 'fields') {
      fields.push(...line.fields)
      section = sectionAfter(line.fields) ?? section
      isOpen = line.fields.length === 1 && line.fields[0]?.known?.kind === 'comments' && !raw.includes(CELL)
    } else if (line.kind === 'text') (FOOTER.test(line.text) ? frame : texts).push(line.text)
    else {
      waiting = line
      if (line.kind === 'heading') section = line.section
    }
  }
  giveUp()
  return { fields, texts, frame }
}

/** "Trade-in: Yes" begins a part of its own; "Trade-in: 2015 Honda Civic" says all of it. */
function sectionAfter(fields: readonly MailField[]): LabelSection | null {
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
  const fields = labels.flatMap((cell, at): MailField[] => {
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
  if (kind === 'name') return /^\p{Lu}[\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]+){0,3}$/u.test(text)
  return (kind === 'vehicle' || kind === 'tradeIn') && /\b(?:19|20)\d\d\b/.test(text)
}

function pairsOf(
  waiting: Extract<Line, { kind: 'label' | 'head' | 'heading' }>,
  values: readonly string[],
  section: LabelSection | null,
): MailField[] {
  if (waiting.kind === 'label')
    return [{ label: labelOf(waiting.text), value: values[0] ?? '', known: waiting.known }]
  const labels = waiting.kind === 'head' ? waiting.labels : [labelOf(waiting.text)]
  return labels.flatMap((label, at) => {
    const value = values[at] ?? ''
    return value === '' ? [] : [fieldOf(label, value, section)]
  })
}

function inlineField(text: string, section: LabelSection | null): MailField | null {
  const [, label = '', value = ''] = INLINE.exec(text) ?? []
  if (!isLabelText(label) || value.startsWith('//')) return null
  // A time such as "at 10:30" is no label.
  if (/\d$/.test(label) && /^\d\d\b/.test(value)) return null
  return fieldOf(labelOf(label), value.trim(), section)
}

const fieldOf = (label: string, value: string, section: LabelSection | null): MailField => ({
  label,
  value,
  known: knownLabel(label, section),
})

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
