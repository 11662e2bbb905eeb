import { CONTACT_KINDS, type LabelKind, NAME_KINDS, PERSON_KINDS } from './label-kinds.ts'
import type { MailField } from './mail-fields.ts'

type Fields = readonly MailField[]

/**
 * The fields of one buyer, of which those of someone else mean nothing anymore and are kept under their heading: another person with a
 * name and number, and how to reach the portal or the dealer, which is apart from the buyer's fields.
 */
export function withoutOthers(fields: Fields): Fields {
  const others = new Set([...otherPeople(fields), ...contactsApart(fields)])
  return others.size === 0 ? fields : fields.map((field) => (others.has(field) ? ofOther(field) : field))
}

const ofOther = (field: MailField): MailField => ({
  ...field,
  known: null,
  label: `${field.heading === null ? 'Other' : field.heading.slice(0, 60)} ${field.label}`,
})

const isOf = (kinds: ReadonlySet<LabelKind>, { known }: MailField): boolean =>
  known !== null && kinds.has(known.kind)

/** A second name in another block, with what follows it until something that isn't about a person. */
function otherPeople(fields: Fields): MailField[] {
  const seen = new Map<string, string>()
  const others: MailField[] = []
  const first = fields.find((field) => isOf(NAME_KINDS, field))
  let block: number | null = null
  for (const field of fields) {
    const kind = field.known?.kind
    if (kind !== undefined && NAME_KINDS.has(kind)) {
      const before = seen.get(kind)
      const isSecond = before !== undefined && before !== field.value.toLowerCase()
      if (isSecond && field.block !== first?.block && field.heading !== null) block = field.block
      else if (before === undefined) seen.set(kind, field.value.toLowerCase())
    }
    const isTheirs = block === field.block && (field.known === null || isOf(PERSON_KINDS, field))
    if (block !== null && !isTheirs) block = null
    if (isTheirs) others.push(field)
  }
  return others
}

/** In a block of its own without a name: below a line of text, or at the end. Never the only way to reach the buyer. */
function contactsApart(fields: Fields): MailField[] {
  const named = fields.find((field) => isOf(NAME_KINDS, field))
  if (named === undefined) return []
  const own = fields.filter(({ block }) => block === named.block)
  const hasOwn = own.some((field) => isOf(CONTACT_KINDS, field))
  const from = fields.indexOf(named)
  // Without fields beside the name, empty lines are between all of them.
  const isTogether = own.filter(({ known }) => known !== null).length > 1
  const apart = fields.filter((field, at) => {
    if (!field.isBelow && isOf(CONTACT_KINDS, field) && isAgainBelowWords(fields, at)) return true
    if (!isOf(CONTACT_KINDS, field) || field.block === named.block || field.item !== named.item) return false
    const block = fields.filter((one) => one.block === field.block)
    if (!block.every(isPlaceOrContact)) return false
    if (field.isBelow) return false
    if (field.heading !== null) return at > from || hasOwn
    const isLast = fields.slice(at).every((one) => isPlaceOrContact(one))
    return (
      isTogether &&
      isLast &&
      fields.slice(from, at).some((one) => !isPlaceOrContact(one) && !isOf(PERSON_KINDS, one))
    )
  })
  const isAll = fields.every((field) => !isOf(CONTACT_KINDS, field) || apart.includes(field))
  return isAll ? [] : apart
}

/** The same label as before the buyer's words, at the end of lines that may not all be the buyer's. */
function isAgainBelowWords(fields: Fields, at: number): boolean {
  const words = fields.findLastIndex(({ known }, index) => index < at && !isPlaceOrContact({ known }))
  const { known, value } = fields[words] ?? { known: null, value: '' }
  if (known?.kind !== 'comments' || !value.includes('\n')) return false
  const label = fields[at]?.label.toLowerCase()
  return (
    fields.slice(at).every(isPlaceOrContact) &&
    fields.slice(0, words).some((one) => one.label.toLowerCase() === label)
  )
}

const isPlaceOrContact = ({ known }: Pick<MailField, 'known'>): boolean =>
  known === null ||
  (PERSON_KINDS.has(known.kind) && !NAME_KINDS.has(known.kind)) ||
  known.kind === 'vehicleUrl'

/** The addresses and numbers that aren't beside the buyer's name, as written. */
export function besideNoName(fields: Fields): string[] {
  const named = fields.find((field) => isOf(NAME_KINDS, field))
  return fields.flatMap((field) =>
    isOf(CONTACT_KINDS, field) && field.block !== named?.block ? [field.value] : [],
  )
}
