import type { MailField } from './mail-fields.ts'
import type { LabelKind } from './label-kinds.ts'

const PERSON: ReadonlySet<LabelKind> = new Set(['name', 'firstName', 'lastName', 'email', 'phone'])

/**
 * The fields of each buyer of an email that has several, such as the leads of a day in one table. Each part begins with the same
 * label. One part unless each says who its buyer is, and no two are the same. `isInquiry`: whether fields say who and how to reach them.
 */
export function buyersIn(
  fields: readonly MailField[],
  isInquiry: (fields: readonly MailField[]) => boolean,
): readonly (readonly MailField[])[] {
  const first = fields.find(({ known }) => known !== null && known.section !== 'dealer')?.known?.kind
  const firstOfPerson = fields.find(({ known }) => known !== null && PERSON.has(known.kind))?.known?.kind
  for (const kind of new Set([first, firstOfPerson])) {
    if (kind === undefined) continue
    const parts = partsAt(fields, kind)
    const buyers = parts.map(buyerOf)
    const areDifferent =
      new Set(buyers.map(({ names }) => names)).size === parts.length &&
      new Set(buyers.map(({ contacts }) => contacts)).size === parts.length
    if (parts.length > 1 && areDifferent && parts.every(isInquiry)) return parts
  }
  return [fields]
}

/** What stands above the first part, such as the name of the portal, is of all. */
function partsAt(fields: readonly MailField[], kind: LabelKind): MailField[][] {
  const starts = fields.flatMap(({ known }, at) => (known?.kind === kind ? [at] : []))
  const above = fields.slice(0, starts[0])
  return starts.map((from, at) => [...above, ...fields.slice(from, starts[at + 1])])
}

function buyerOf(fields: readonly MailField[]): { names: string; contacts: string } {
  const of = (...kinds: LabelKind[]) =>
    fields
      .flatMap(({ known, value }) =>
        known !== null && kinds.includes(known.kind) ? [value.toLowerCase()] : [],
      )
      .join(' ')
  return { names: of('name', 'firstName', 'lastName'), contacts: of('email', 'phone') }
}
