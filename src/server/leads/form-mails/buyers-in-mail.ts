import { type LabelKind, NAME_KINDS, PERSON_KINDS } from './label-kinds.ts'
import type { MailField } from './mail-fields.ts'

type Fields = readonly MailField[]

type Check = Readonly<{
  /** Whether fields say who the buyer is and how to reach them, or what they want. */
  isInquiry: (fields: Fields) => boolean
  /** The email says that it has several: "3 new leads". */
  saysSeveral: boolean
}>

/** "3 new leads", in a subject or above the first. */
export const SEVERAL =
  /\b(?:[2-9]|\d\d|two|three|several|daily|dos|tres|deux|trois|zwei|drei)\s(?:\p{L}+\s){0,2}(?:leads|inquiries|enquiries|requests|prospects|buyers|anfragen|demandes|consultas|contactos|digest)\b/iu

/**
 * The fields of each buyer of an email that has several, such as the leads of a day in one table. One part unless each says who its
 * buyer is, no two are the same, and they are entries of a list: rows, numbered entries, or parts that begin with the same label.
 */
export function buyersIn(fields: Fields, { isInquiry, saysSeveral }: Check): readonly Fields[] {
  const items = partsByItem(fields)
  if (items.length > 1 && areBuyers(items, isInquiry)) return items
  const found = keysIn(fields)
    .map((key) => partsAt(fields, key))
    .filter((parts) => parts.length > 1 && areBuyers(parts, isInquiry) && (saysSeveral || areEntries(parts)))
  const most = Math.max(0, ...found.map(({ length }) => length))
  return found.find(({ length }) => length === most) ?? [fields]
}

/** The rows of a table and the entries of a numbered list. What is above them is of all. */
function partsByItem(fields: Fields): Fields[] {
  const items = new Set(fields.flatMap(({ item }) => item ?? []))
  const start = fields.findIndex(({ item }) => item !== null)
  const above = fields.slice(0, Math.max(0, start))
  const parts = [...items].map((one) => fields.filter(({ item }) => item === one))
  const after = fields.slice(start).filter(({ item }) => item === null)
  return parts.map((part, at) => [...above, ...part, ...(at === parts.length - 1 ? after : [])])
}

const keyOf = ({ known, label }: MailField): string =>
  known === null ? label.toLowerCase() : `${known.kind} ${known.section ?? ''}`

/** The labels that are there more than once, in their order: any of them can begin a part. */
function keysIn(fields: Fields): string[] {
  const keys = fields.slice(0, MAX_COMPARED).map(keyOf)
  return [...new Set(keys)].filter((key) => keys.indexOf(key) !== keys.lastIndexOf(key)).slice(0, MAX_KEYS)
}
/** Comparing takes time. */
const MAX_COMPARED = 500
const MAX_KEYS = 20

/** Each part begins where its block begins. What is above the first one, such as the name of the portal, is of all. */
function partsAt(fields: Fields, key: string): Fields[] {
  const found = fields.flatMap((field, at) => (keyOf(field) === key ? [at] : []))
  const starts = found.map((at, index) => {
    const before = index === 0 ? -1 : (found[index - 1] ?? -1)
    let start = at
    const block = fields[at]?.block
    while (start - 1 > before && fields[start - 1]?.block === block) start -= 1
    // Without an empty line between them, a part begins with the label.
    return start - 1 === before && before >= 0 && fields[before]?.block === block ? at : start
  })
  const [first = 0] = starts
  // The first part can begin with lines that the next ones also have.
  const own = new Set(fields.slice(starts[1] ?? 0).map(keyOf))
  const firstOwn = fields.slice(0, first).findIndex((field) => own.has(keyOf(field)))
  if (firstOwn >= 0) starts[0] = firstOwn
  const above = fields.slice(0, starts[0])
  return starts.map((from, at) => [...above, ...fields.slice(from, starts[at + 1])])
}

function areBuyers(parts: readonly Fields[], isInquiry: Check['isInquiry']): boolean {
  const buyers = parts.map(buyerOf)
  return (
    new Set(buyers.map(({ names }) => names)).size === parts.length &&
    new Set(buyers.map(({ contacts }) => contacts)).size === parts.length &&
    buyers.every(({ count }) => count === 1) &&
    parts.every(isInquiry)
  )
}

/** A co-buyer or the salesperson has a name and a number as well: entries have what they are about, or all have the same labels. */
function areEntries(parts: readonly Fields[]): boolean {
  const hasSubject = parts.every((part) =>
    part.some(({ known }) => known !== null && !PERSON_KINDS.has(known.kind) && known.kind !== 'dealer'),
  )
  if (hasSubject) return true
  const isHeaded = parts.slice(1).some((part) => part.some(({ heading }) => heading !== null))
  return !isHeaded && new Set(parts.map((part) => [...new Set(part.map(keyOf))].join('\n'))).size === 1
}

function buyerOf(fields: Fields): { names: string; contacts: string; count: number } {
  const of = (kinds: readonly LabelKind[]) =>
    fields.flatMap(({ known, value }) =>
      known !== null && kinds.includes(known.kind) ? [value.toLowerCase()] : [],
    )
  const count = Math.max(1, ...[...NAME_KINDS].map((kind) => new Set(of([kind])).size))
  return { names: of([...NAME_KINDS]).join(' '), contacts: of(['email', 'phone']).join(' '), count }
}
