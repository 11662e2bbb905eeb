import { sql } from 'kysely'
import { refusedText } from '#contract/leads/inbox/lead-files.ts'
import { type AdfLead, StoredAdf } from '#contract/leads/adf/adf-lead.ts'
import { adfWarning } from '#contract/leads/adf/adf-warnings.ts'
import type {
  AutomaticReason,
  InboundState,
  ReceivedMessage,
} from '#contract/leads/inbound/inbound-messages.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { ParsedAdf } from '../adf/parse-adf.ts'
import type { ReadMail } from '../adf/read-mail.ts'
import type { FormMail } from '../form-mails/form-mail.ts'
import { restOfMail } from '../form-mails/mail-body.ts'
import { unquoted } from '../form-mails/quoted-mail.ts'
import { type NewLead, receiveLead } from '../inbox/receive-lead.ts'
import { receiveReply } from '../inbox/receive-reply.ts'
import { phoneCountry, phoneE164, phonesInText } from '../people/phone-number.ts'
import type { KeptFile } from './keep-files.ts'
import { leadOfAdf } from './lead-of-adf.ts'
import { phonesOfStores, stockInMessage, withoutOwnContacts } from './own-stock.ts'
import { sourceForStore, storeOfLead } from './store-of-lead.ts'

/** The address that something was sent to. */
export type ReceivingAddress = Readonly<{
  id: string
  customerId: string
  organizationId: string
  sourceName: string
  lotId: string | null
  /** It is the address of all stores: each lead says to which one it belongs. */
  isGroup: boolean
  distanceUnit: 'mi' | 'km'
  /** The customer's: says which country a phone number without a country code is of. */
  currency: string
}>

/** What was read of a message. */
export type InboundContent = Readonly<{
  mail: ReadMail | null
  adf: ParsedAdf | null
  /** The files that came with an email, as they are kept. */
  files: readonly KeptFile[]
  /** Set if it couldn't be read at all. */
  failure: string | null
  isTest: boolean
  /** A user says that it is an inquiry although it looks automatic. */
  isInquiry: boolean
  /** Left out: now. */
  receivedAt?: Date
}>

type Leads = ReceivedMessage['leads']
/** `lead`: the place of the lead that it is about, among several of one message. */
type Warning = { code: string; message: string; lead?: number }
export type Outcome = {
  state: InboundState
  reason: string | null
  warnings: readonly Warning[]
  /** Why it is no lead by itself, if that is because it looks automatic. */
  automatic?: AutomaticReason
  /** Adds the leads or the reply, once the text is stored. */
  act: (sourceId: string) => Promise<Leads>
}

const nothing = async (): Promise<Leads> => []
const without = (state: 'ignored' | 'quarantined', reason: string): Outcome => ({
  state,
  reason,
  warnings: [],
  act: nothing,
})

/** Decides what a message is. Only a reply is added at once; everything else waits for `act`. */
export async function decideOutcome(
  db: Database,
  address: ReceivingAddress,
  content: InboundContent,
): Promise<Outcome> {
  const { mail, adf, failure } = content
  if (failure !== null) return without('quarantined', failure)
  if (mail !== null && !content.isInquiry && (await isOwnEmail(db, mail)))
    return without('ignored', OWN_EMAIL)
  if (adf !== null) return ofAdf(db, address, { ...content, adf })
  if (mail === null) return without('quarantined', 'This is neither an ADF document nor an email.')
  const reply = content.isInquiry
    ? null
    : await receiveReply(db, { ...mail, isAutomatic: mail.automatic !== null })
  if (reply !== null)
    return {
      state: 'reply',
      reason: mail.automatic === null ? refusedText(content.files) : AUTOMATIC_REPLY,
      warnings: [],
      act: async () => [{ id: reply.leadId, isNew: false }],
    }
  const { automatic } = mail
  // A form or portal that says whose inquiry it is.
  const isSentFor = mail.forms.length > 0 || (automatic === 'generated' && mail.replyTo !== null)
  const mayBeInquiry = automatic === 'generated' || automatic === 'bulk'
  if (automatic !== null && !content.isInquiry && !(mayBeInquiry && isSentFor))
    return { ...without('quarantined', AUTOMATIC[automatic]), automatic }
  return mail.forms.length === 0
    ? ofPlainEmail(db, address, { ...content, mail })
    : ofFormMail(db, address, { ...content, mail })
}

const AUTOMATIC_REPLY =
  "This is an automatic reply. It is in the timeline of its lead, but doesn't count as a response."
const OWN_LEAD = "Forecourt sent this lead, so it isn't new. Check where the destination forwards its emails."
const OWN_EMAIL = "Forecourt sent this email, so it isn't a lead."
const DECIDE = 'If it is an inquiry, add it as a lead; otherwise dismiss it.'
const AUTOMATIC: Readonly<Record<AutomaticReason, string>> = {
  loop: `This email was forwarded in a loop. ${DECIDE}`,
  generated: `A program wrote this email, and it doesn't say for whom. ${DECIDE}`,
  autoSubmitted: `This looks like an automatic reply, such as an out-of-office notice. ${DECIDE}`,
  bulk: `This email was sent to a mailing list. ${DECIDE}`,
  bounce: `This email reports that another one couldn't be delivered. ${DECIDE}`,
}

/** An email of the outbox that came back to us, such as a lead that we sent to a mailbox that is forwarded here. */
async function isOwnEmail(db: Database, { messageId }: ReadMail): Promise<boolean> {
  // <key@domain>; Postmark makes the part before the @ itself.
  const key = messageId?.split('@')[0] ?? ''
  if (!UUID.test(key)) return false
  const { rows } =
    await sql`select from outbox_mails where message_key = ${key}::uuid or message_id = ${key} limit 1`.execute(
      db,
    )
  return rows.length > 0
}

type ReadAdfContent = InboundContent & { adf: ParsedAdf }

async function ofAdf(db: Database, address: ReceivingAddress, content: ReadAdfContent): Promise<Outcome> {
  const { adf } = content
  if (adf.kind === 'refused') return without('quarantined', adf.message)
  const { leads, unusable } = adf.document
  if (!content.isInquiry && (await isOwnDelivery(db, leads))) return without('ignored', OWN_LEAD)
  const [first] = unusable
  const warnings = [
    ...leads.flatMap((lead, at) => ofLead(lead.warnings, at, leads.length + unusable.length)),
    ...unusable.flatMap(({ lead }) => ofLead(lead.warnings, NO_LEAD, leads.length + unusable.length)),
    ...(await unknownVehicles(db, address, leads)),
  ]
  if (leads.length === 0)
    return { ...without('quarantined', first?.message ?? 'The document has no lead.'), warnings }
  const all = unusable.length + leads.length
  const left = `${unusable.length} of ${all} leads was left out: ${first?.message ?? ''}`
  return {
    state: 'received',
    reason: unusable.length === 0 ? refusedText(content.files) : left,
    warnings,
    async act(sourceId) {
      const received: Leads = []
      // oxlint-disable-next-line no-await-in-loop -- One connection, and the order of the document.
      for (const lead of leads)
        received.push(await receiveAdf(db, address, { lead, sourceId, content, isAlone: all === 1 }))
      return received
    },
  }
}

/** Warnings that are shown at one lead of several only. */
const ofLead = (warnings: readonly Warning[], lead: number, of: number): Warning[] =>
  of === 1 ? [...warnings] : warnings.map(({ code, message }) => ({ code, message, lead }))
/** It is about a lead that was left out. */
const NO_LEAD = -1

/** A lead that this customer's routing delivered as an ADF document, and that came back. */
async function isOwnDelivery(db: Database, leads: readonly AdfLead[]): Promise<boolean> {
  const keys = leads.flatMap(({ ids }) => ids.map(({ value }) => value)).filter((value) => UUID.test(value))
  if (keys.length === 0) return false
  const { rows } = await sql`select from lead_deliveries where key = any(${keys}::uuid[]) limit 1`.execute(db)
  return rows.length > 0
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Vehicles that buyers ask for by a VIN or stock number that isn't in stock. The lead is received all the same. */
async function unknownVehicles(
  db: Database,
  { organizationId, isGroup }: ReceivingAddress,
  leads: readonly AdfLead[],
): Promise<Warning[]> {
  const asked = leads.flatMap(({ vehicles: [vehicle] }, lead) =>
    vehicle === undefined || (vehicle.vin === null && vehicle.stock === null) ? [] : [{ ...vehicle, lead }],
  )
  if (asked.length === 0) return []
  const list = JSON.stringify(asked.map(({ vin, stock, lead }) => ({ vin, stock, lead })))
  const { rows } = await sql<{ vin: string | null; stock: string | null; lead: number }>`
    select a.vin, a.stock, a.lead from jsonb_to_recordset(${list}::jsonb) a (vin text, stock text, lead int)
    where not exists (select from vehicles v where (${isGroup} or v.organization_id = ${organizationId})
      and (v.vin = upper(a.vin) or v.stock_key = lower(a.stock)))`.execute(db)
  return rows.flatMap(({ vin, stock, lead }) => {
    const named = [vin === null ? null : `VIN ${vin}`, stock === null ? null : `stock number ${stock}`]
    const what = named
      .filter((part) => part !== null)
      .join(' or ')
      .slice(0, 200)
    return ofLead(
      [{ code: 'vehicleNotInStock', message: `No vehicle in stock has ${what}.` }],
      lead,
      leads.length,
    )
  })
}

async function receiveAdf(
  db: Database,
  address: ReceivingAddress,
  {
    lead,
    sourceId,
    content,
    isAlone,
  }: { lead: AdfLead; sourceId: string; content: InboundContent; isAlone: boolean },
): Promise<Leads[number]> {
  const read = leadOfAdf(lead, address)
  const store = await storeOfLead(db, address, read)
  const { organizationId } = store
  const isOther = await isIdOfOtherLead(db, { ...address, organizationId }, read)
  const { leadId, isNew } = await receiveLead(db, {
    ...read,
    externalId: isOther ? null : (read.externalId ?? null),
    ...store,
    sourceKind: content.mail === null ? 'adf-http' : 'adf-mail',
    sourceName: address.sourceName,
    sourceId: await sourceForStore(db, {
      sourceId,
      from: address.organizationId,
      to: organizationId,
      isAlone,
    }),
    senders: [...(read.senders ?? []), ...sentBy(content.mail?.fromEmail)],
    warnings: lead.warnings.length,
    isTest: content.isTest,
    ...(content.receivedAt !== undefined && { receivedAt: content.receivedAt }),
  })
  return { id: leadId, isNew }
}

/**
 * Whether the provider used this ID before for a person with another email address, phone number and name, or for something
 * else. Some providers send the same ID with every lead, such as the name of a form; none of these leads may be lost. Who sends
 * the same lead again with more in it sends a second lead, which is a duplicate of the first.
 */
async function isIdOfOtherLead(
  db: Database,
  { organizationId, sourceName }: ReceivingAddress,
  { externalId, person, document }: ReturnType<typeof leadOfAdf>,
): Promise<boolean> {
  if (externalId == null) return false
  const name = person.name ?? [person.firstName, person.lastName].filter(Boolean).join(' ')
  const sent = document == null ? null : JSON.stringify(document)
  const { rows } = await sql<{ isOther: boolean }>`
    select not (coalesce(p.email_key = lower(${person.email ?? null}), false)
      or coalesce(p.phone = ${person.phone ?? null}, false)
      or coalesce(lower(p.name) = lower(${name}), false))
      or exists (select from unnest(${SAME_PARTS}::text[]) part
        where l.document -> part is distinct from ${sent}::jsonb -> part and l.document is not null) as is_other
    from leads l join people p on p.customer_id = l.customer_id and p.id = l.person_id
    where l.organization_id = ${organizationId} and l.source_key = lower(${sourceName})
      and l.external_id = ${externalId}`.execute(db)
  return rows[0]?.isOther ?? false
}

/** What makes a lead another one. Not its times, which some senders write again. */
const SAME_PARTS: (keyof StoredAdf)[] = ['vehicles', 'tradeIns', 'comments', 'extensions']

type PlainEmail = InboundContent & { mail: ReadMail }

/** A person's email that answers none of ours, or one that was forwarded or sent for a person: a new lead. */
async function ofPlainEmail(db: Database, address: ReceivingAddress, of: PlainEmail): Promise<Outcome> {
  const { fromEmail, fromName, replyTo, forwarded, subject, text } = of.mail
  const sender =
    replyTo === null
      ? { name: fromName, email: fromEmail }
      : { name: replyTo.name ?? fromName, email: replyTo.email }
  const person = forwarded ?? sender
  const comments = [subject, text].filter((part) => part !== null).join('\n\n')
  const rest = restOfMail(of.mail.left, person)
  const { own, quoted } = unquoted(text ?? '')
  // Who forwards an email signs above it.
  const country = phoneCountry(null, address.currency)
  const ofStores = await phonesOfStores(db, address)
  const phones = phonesInText(forwarded === null ? own : quoted, country).filter(
    (one) => !ofStores.has(phoneE164(one, country) ?? ''),
  )
  const [phone = null] = phones
  const read: MailLead = {
    type: 'general',
    person: {
      ...person,
      phone: phone?.slice(0, 40) ?? null,
      contacts: phones.map((value) => ({ kind: 'phone' as const, value: value.slice(0, 40), label: null })),
    },
    comments: comments.slice(0, MAX_COMMENTS).toWellFormed() || null,
    senders: person.email === fromEmail ? [] : sentBy(fromEmail),
    ...(rest !== null && { document: StoredAdf.parse(rest) }),
  }
  const warnings = [
    ...(comments.length > MAX_COMMENTS ? [adfWarning('textCut', 'comments')] : []),
    ...(rest?.warnings ?? []),
  ]
  return ofEmail(db, address, of, [{ read, warnings }])
}

/** An email in which a form or portal says whose inquiries it has, and about what. */
async function ofFormMail(db: Database, address: ReceivingAddress, of: PlainEmail): Promise<Outcome> {
  const phones = await phonesOfStores(db, address)
  const sent = { phones, country: phoneCountry(null, address.currency), fromEmail: of.mail.fromEmail }
  const forms = of.mail.forms.map((form) => ({ ...form, lead: withoutOwnContacts(form, sent) }))
  const found = forms.map((form) => ({
    read: leadOfForm(address, { form, mail: of.mail }),
    warnings: form.lead.warnings,
  }))
  return ofEmail(db, address, of, found)
}

function leadOfForm(address: ReceivingAddress, { form, mail }: { form: FormMail; mail: ReadMail }): MailLead {
  const { externalId: _id, ...read } = leadOfAdf(form.lead, address)
  const own = new Set(form.lead.customer.contact.emails.map(({ value }) => value.toLowerCase()))
  // A form answers to the buyer, also where it doesn't show the address.
  const answersTo = own.size === 0 && mail.forms.length === 1 ? mail.replyTo?.email : null
  const email = read.person.email ?? answersTo ?? ownAddress(read.person, mail)
  const person = {
    ...read.person,
    email,
    preferredContact: form.preferredContact ?? read.person.preferredContact,
    contactTime: form.contactTime ?? read.person.contactTime,
  }
  const senders = own.has(mail.fromEmail) || email === mail.fromEmail ? [] : sentBy(mail.fromEmail)
  return { ...read, person, senders: [...(read.senders ?? []), ...senders] }
}

/** A buyer who filled in a form without an address sent it from their own if it has their name. */
function ownAddress({ name, phone }: NewLead['person'], { fromName, fromEmail }: ReadMail): string | null {
  return phone == null && name != null && name.toLowerCase() === fromName?.toLowerCase() ? fromEmail : null
}

type MailLead = Omit<NewLead, 'organizationId' | 'sourceKind' | 'sourceName'>

function ofEmail(
  db: Database,
  address: ReceivingAddress,
  { mail, files, isTest, isInquiry, receivedAt }: PlainEmail,
  found: readonly (Pick<AdfLead, 'warnings'> & { read: MailLead })[],
): Outcome {
  const isSpam = mail.isSpam && !isInquiry
  return {
    state: 'received',
    reason: isSpam ? IN_QUARANTINE : refusedText(files),
    warnings: found.flatMap(({ warnings }, at) => ofLead(warnings, at, found.length)),
    async act(sourceId) {
      const received: Leads = []
      for (const [at, { read: given, warnings }] of found.entries()) {
        // oxlint-disable no-await-in-loop -- One connection, and the order of the email.
        const subject = found.length === 1 ? mail.subject : null
        const stock = await stockInMessage(db, address, { ...given, subject })
        const read = stock === null ? given : { ...given, askedVehicle: { ...given.askedVehicle, stock } }
        const store = await storeOfLead(db, address, { ...read, subject })
        const to = { sourceId, from: address.organizationId, to: store.organizationId }
        const { leadId, isNew } = await receiveLead(db, {
          ...read,
          ...store,
          sourceKind: 'email',
          sourceName: address.sourceName,
          sourceId: await sourceForStore(db, { ...to, isAlone: found.length === 1 }),
          externalId: idOfLead(mail, at),
          warnings: warnings.length,
          isTest,
          suspicions: isSpam ? ['spamMark'] : [],
          ...(receivedAt !== undefined && { receivedAt }),
        })
        // oxlint-enable no-await-in-loop
        received.push({ id: leadId, isNew })
      }
      return received
    },
  }
}

/** The Message-ID, with the number of the buyer where an email has several. */
const idOfLead = ({ messageId }: ReadMail, at: number): string | null =>
  messageId === null ? null : `${messageId.slice(0, 290)}${at === 0 ? '' : ` ${at + 1}`}`

const MAX_COMMENTS = 20_000

const sentBy = (email: string | null | undefined) =>
  email == null ? [] : [{ kind: 'email' as const, value: email }]

const IN_QUARANTINE = 'The email provider marked it as spam, so its lead is in quarantine.'
