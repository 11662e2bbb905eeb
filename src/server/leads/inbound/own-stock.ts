import { sql } from 'kysely'
import { textNamed, withTexts } from '#contract/leads/adf/add-texts.ts'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { FormMail } from '../form-mails/form-mail.ts'
import type { NewLead } from '../inbox/receive-lead.ts'
import { phoneCountry, phoneE164 } from '../people/phone-number.ts'

type Address = Readonly<{ customerId: string; organizationId: string; isGroup: boolean; currency: string }>
type Wishes = Pick<NewLead, 'askedVehicle' | 'vehicle' | 'comments'>

/** Words with a digit, as stock numbers are. Those of digits alone only after "stock". */
const WORD = /(?<![\p{L}\p{N}@./-])(?=[A-Z0-9-]{0,19}\d)[A-Z0-9][A-Z0-9-]{1,18}[A-Z0-9](?![\p{L}\p{N}@-])/giu
const AFTER_STOCK = /\b(?:stock|stk|inventory)\s{0,2}(?:number|no\.?|num|nr\.?|id)?\s{0,2}[:#]{0,2}\s{0,2}$/i
const MOST_WORDS = 300

/**
 * The stock number in the subject or message of a lead that names no vehicle, if exactly one vehicle for sale has one of the numbers: at
 * the organization of the address, or at any store of a group. Null otherwise.
 */
export async function stockInMessage(
  db: Database,
  { customerId, organizationId, isGroup }: Address,
  { askedVehicle, vehicle, comments, subject }: Wishes & { subject: string | null },
): Promise<string | null> {
  const isNamed = Object.values({ ...askedVehicle }).some((value) => value != null && value !== '')
  if (isNamed || vehicle != null) return null
  const text = [subject, comments]
    .filter((part) => part != null)
    .join('\n')
    .slice(0, 20_000)
  const words = [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
    /\p{L}/u.test(word) || AFTER_STOCK.test(text.slice(Math.max(0, index - 30), index))
      ? [word.toLowerCase()]
      : [],
  )
  const keys = [...new Set(words)].slice(0, MOST_WORDS)
  if (keys.length === 0) return null
  const { rows } = await sql<{ stock: string }>`
    select v.stock from vehicles v where v.customer_id = ${customerId} and v.stock_key = any(${keys}::text[])
      and (${isGroup} or v.organization_id = ${organizationId})
      and v.status not in ('sold', 'archived', 'wholesale', 'removed') limit 2`.execute(db)
  return rows.length === 1 ? (rows[0]?.stock ?? null) : null
}

/** The phone numbers of the customer's stores, in E.164. */
export async function phonesOfStores(
  db: Database,
  { customerId, currency }: Address,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ phone: string }>`
    select distinct phone from lots where customer_id = ${customerId} and phone is not null`.execute(db)
  const country = phoneCountry(null, currency)
  return new Set(rows.flatMap(({ phone }) => phoneE164(phone, country) ?? []))
}

/** The lead of a form without numbers of the stores and addresses of its sender that aren't beside the buyer's name. They are kept. */
export function withoutOwnContacts(
  { lead, apart }: FormMail,
  of: { phones: ReadonlySet<string>; country: string; fromEmail: string },
): AdfLead {
  const domain = of.fromEmail.slice(of.fromEmail.indexOf('@'))
  const { contact } = lead.customer
  const isApart = (value: string) => apart.some((one) => one.includes(value))
  const isOwnPhone = (value: string) => {
    const number = phoneE164(value, of.country)
    return number !== null && of.phones.has(number) && isApart(value)
  }
  const isOwnEmail = (value: string) =>
    value.toLowerCase() !== of.fromEmail && value.toLowerCase().endsWith(domain) && isApart(value)
  const left = [
    ...contact.emails.filter(({ value }) => isOwnEmail(value)),
    ...contact.phones.filter(({ value }) => isOwnPhone(value)),
  ]
  if (left.length === 0) return lead
  const without = {
    ...contact,
    emails: contact.emails.filter(({ value }) => !isOwnEmail(value)),
    phones: contact.phones.filter(({ value }) => !isOwnPhone(value)),
  }
  return withTexts(
    { ...lead, customer: { ...lead.customer, contact: without } },
    textNamed('contact_of_the_sender', left.map(({ value }) => value).join('\n')),
  )
}
