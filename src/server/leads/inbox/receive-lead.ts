import { sql } from 'kysely'
import type { StoredAdf } from '#contract/leads/adf/adf-lead.ts'
import { documentText, leadDocument } from '#contract/leads/adf/describe-adf.ts'
import type { LeadSourceKind, LeadType, UnfinishedForm } from '#contract/leads/inbox/lead-list.ts'
import type { StoreEvidence } from '#contract/leads/routing/store-evidence.ts'
import { evidenceText } from '#contract/leads/inbound/find-store.ts'
import type { AskedVehicle, TradeIn } from '#contract/leads/inbox/leads.ts'
import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { optOutsOf } from '../people/opt-outs.ts'
import { noteConsents, type NewConsent } from '../consents/note-consents.ts'
import {
  addPerson,
  findPerson,
  givenContacts,
  lockPerson,
  type MatchedPerson,
  type NewPerson,
  type PersonValues,
  personValues,
} from '../people/match-person.ts'
import { joinKnown } from '../people/merge-people.ts'
import {
  addContacts,
  contactKey,
  type ContactValues,
  contactValues,
  findSenders,
  type NewContact,
  useLatestContacts,
} from '../people/person-contacts.ts'
import { phoneCountry, phoneE164 } from '../people/phone-number.ts'
import { routeReceived } from '../routing/route-lead.ts'
import { continueLead, findUnfinished } from './continue-lead.ts'
import { findFirstLead, noteDuplicate } from './duplicate-leads.ts'
import { sendUpdate } from './send-update.ts'
import { type LeadClock, readLeadClock, respondBy } from './lead-clock.ts'
import { makeRoomInQuarantine } from './quarantine-limits.ts'
import { vinInMessage, withVin } from './vin-of-lead.ts'
import { noteLeadEvents } from '../events/lead-events.ts'

/** A lead as it came in. The organization owns it; everything that was not given is null or left out. */
export type NewLead = Readonly<{
  organizationId: string
  /** Without one: the lot of the vehicle, otherwise the organization's first. */
  lotId?: string | null
  /** It came to the address of a group, and nothing says to which store it belongs. It has no lot until a person chooses one. */
  needsStore?: boolean
  /** By what its store was found, or that it wasn't. */
  storeEvidence?: StoreEvidence | null
  type: LeadType
  /** A vehicle in stock decides whether the type is new or used. */
  followsStock?: boolean
  sourceKind: LeadSourceKind
  /** As users know it: "AutoTrader". */
  sourceName: string
  person: NewPerson
  /** Addresses and numbers of who sent it for the buyer, such as a portal. */
  senders?: readonly Omit<NewContact, 'label'>[]
  /** The text it came in, from `lead_sources`, and how many warnings reading it had. */
  sourceId?: string | null
  warnings?: number
  /** The provider's ID: a second lead with the same one is the same lead. */
  externalId?: string | null
  formId?: string | null
  submissionId?: string | null
  /** The vehicle in stock, as the buyer saw it. */
  vehicle?: Readonly<{ id: string | null; title: string | null; priceCents: number | null }> | null
  /** In the buyer's words. Its VIN or stock number finds the vehicle if `vehicle` doesn't name one. */
  askedVehicle?: AskedVehicle
  tradeIn?: TradeIn | null
  comments?: string | null
  /** Everything that its ADF document says. */
  document?: StoredAdf | null
  campaign?: Readonly<Record<string, string>>
  pageUrl?: string | null
  referrer?: string | null
  language?: string | null
  /** Why it looks like spam: such a lead waits in quarantine and isn't routed. */
  suspicions?: readonly Suspicion[]
  /** The IP address that sent it, if a person did. */
  senderAddress?: string | null
  isTest?: boolean
  /** Of a form that its sender hasn't finished. */
  unfinished?: UnfinishedForm | null
  consents?: readonly NewConsent[]
  /** For leads that were received before now. */
  receivedAt?: Date
}>

/** `duplicateOf`: the earlier lead of the same person about the same vehicle. */
export type ReceivedLead = Readonly<{ leadId: string; isNew: boolean; duplicateOf: string | null }>

type LeadSubject = {
  lotId: string | null
  vehicleId: string | null
  vehicleTitle: string | null
  condition: string | null
  currency: string
}

/**
 * Stores a lead with its person, consents and timeline, all in the caller's transaction, and routes it. The same lead sent
 * again (external ID or submission) is not stored again. A duplicate is stored and linked to the first lead; rules decide whether it is
 * sent again.
 *
 * What the sender of an unfinished form sends later goes to the same lead, also from another tab. An unfinished form whose
 * sender has an open lead about the same is no lead.
 */
export async function receiveLead(db: Database, sent: NewLead): Promise<ReceivedLead> {
  const { place, lead } = await findSubject(db, sent)
  const country = phoneCountry(lead.person.country ?? null, place.currency)
  const values = personValues(lead.person, country)
  const contacts = await readContacts(db, lead, country)
  await lockPerson(db, lead.organizationId, contacts)
  const known = await findKnown(db, lead)
  if (known !== null) {
    await continueLead(db, lead, { leadId: known, values, contacts })
    return { leadId: known, isNew: false, duplicateOf: null }
  }
  const isQuarantined = (lead.suspicions ?? []).length > 0
  // Spam changes no one: its person is compared with others once it is released.
  const match = isQuarantined
    ? null
    : await findPerson(db, lead.organizationId, { name: values.name, contacts })
  const receivedAt = lead.receivedAt ?? clock.date()
  const duplicateOf =
    match === null || lead.isTest === true
      ? null
      : await findFirstLead(db, {
          personId: match.id,
          lotId: place.lotId,
          vehicleId: place.vehicleId,
          vehicleTitle: titleOf(lead, place),
          vin: lead.askedVehicle?.vin ?? null,
          stock: lead.askedVehicle?.stock ?? null,
          type: lead.type,
          receivedAt: receivedAt.toISOString(),
        })
  const earlier = await findEarlier(db, lead, { match, vehicleId: place.vehicleId, duplicateOf })
  if (earlier !== null) {
    await continueLead(db, lead, { leadId: earlier, values, contacts })
    return { leadId: earlier, isNew: false, duplicateOf: null }
  }
  const leadClock = await readLeadClock(db, { organizationId: lead.organizationId, lotId: place.lotId })
  const personId = await addPerson(db, lead.organizationId, values)
  const leadId = await addLead(db, lead, { personId, place, receivedAt, duplicateOf, leadClock })
  if (leadId === null) {
    // Another server received the same lead at this moment.
    await db.deleteFrom('people').where('id', '=', personId).execute()
    const other = await findKnown(db, lead)
    if (other === null) throw new Error('A lead with the same ID exists, but is out of reach.')
    return { leadId: other, isNew: false, duplicateOf: null }
  }
  const joined = await storePerson(db, lead, { leadId, personId, match, contacts, values, receivedAt })
  await noteReceived(db, lead, { leadId, personId, receivedAt, duplicateOf, joined })
  if (isQuarantined) await makeRoomInQuarantine(db, lead.senderAddress ?? null)
  await routeReceived(db, leadId, receivedAt)
  if (duplicateOf !== null) await sendUpdate(db, { firstId: duplicateOf, leadId })
  return { leadId, isNew: true, duplicateOf }
}

/** The lot, and the vehicle: in stock, or as the buyer's words and its VIN describe it. */
async function findSubject(db: Database, sent: NewLead): Promise<{ place: LeadSubject; lead: NewLead }> {
  const vin = vinInMessage(sent)
  const asked = vin === null ? sent.askedVehicle : { ...sent.askedVehicle, vin }
  const named = asked === undefined ? sent : { ...sent, askedVehicle: asked }
  const place = await findPlace(db, named)
  const isListed = place.vehicleId !== null || asked === undefined
  const askedVehicle = isListed ? asked : withVin(asked)
  const tradeIn = sent.tradeIn == null ? null : withVin(sent.tradeIn)
  const type = typeInStock(named, place)
  // An opt-out in the message counts more than a box that was checked.
  const consents = [...(sent.consents ?? []), ...optOutsOf(sent)]
  const lead = { ...named, type, tradeIn, consents, ...(askedVehicle !== undefined && { askedVehicle }) }
  return { place, lead }
}

/** Every address and number of the lead. What belongs to its sender or the company says nothing about who the buyer is. */
async function readContacts(
  db: Database,
  { organizationId, person, senders = [] }: NewLead,
  country: string,
): Promise<ContactValues[]> {
  const own = new Set(senders.map((sender) => contactKey(sender, country)))
  const contacts = contactValues(givenContacts(person), { country, senders: own })
  const keys = contacts.flatMap(({ isMatching, valueKey }) => (isMatching ? [valueKey] : []))
  const known = await findSenders(db, organizationId, keys)
  return contacts.map((contact) =>
    known.has(contact.valueKey) ? { ...contact, isMatching: false } : contact,
  )
}

type JoinedPerson = Readonly<{ mergeId: string; reasons: MatchedPerson['reasons'] }>

/**
 * Each lead has a row of its own in `people`, with what it says about the buyer, so that nothing of it is lost and it can be split
 * off. That of a known buyer is merged into theirs.
 */
async function storePerson(
  db: Database,
  lead: NewLead,
  of: {
    leadId: string
    personId: string
    match: MatchedPerson | null
    contacts: readonly ContactValues[]
    values: PersonValues
    receivedAt: Date
  },
): Promise<JoinedPerson | null> {
  const { leadId, personId, match, contacts, receivedAt } = of
  const { organizationId } = lead
  await addContacts(db, { personId, organizationId, leadId, at: receivedAt.toISOString() }, contacts)
  if (match === null) {
    if (contacts.length > 0) await useLatestContacts(db, personId)
    return null
  }
  const { mergeId } = await joinKnown(db, personId, match)
  return { mergeId, reasons: match.reasons }
}

const typeInStock = ({ type, followsStock = false }: NewLead, { condition }: LeadSubject): LeadType => {
  if (!followsStock || condition === null) return type
  return condition === 'new' || condition === 'demo' ? 'new' : 'used'
}

/** The lead that a form belongs to instead of being one: its unfinished one, or, for an unfinished form, any about the same. */
async function findEarlier(
  db: Database,
  { formId = null, unfinished = null, suspicions = [], isTest = false }: NewLead,
  of: { match: MatchedPerson | null; vehicleId: string | null; duplicateOf: string | null },
): Promise<string | null> {
  if (formId === null || suspicions.length > 0 || isTest || of.match === null) return null
  const own = await findUnfinished(db, { personId: of.match.id, vehicleId: of.vehicleId, formId })
  return own ?? (unfinished === null ? null : of.duplicateOf)
}

/** The lot and the vehicle in stock. A vehicle of another organization is only a title. */
async function findPlace(db: Database, lead: NewLead): Promise<LeadSubject> {
  const { vin, stock } = lead.askedVehicle ?? {}
  const { rows } = await sql<LeadSubject>`
    select case when not ${lead.needsStore ?? false} then coalesce(given.id, v.lot_id, first.id)::text end as lot_id, v.id::text as vehicle_id,
      case when v.id is null then null
        else concat_ws(', ', nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), ''), v.stock) end as vehicle_title, v.condition, c.currency
    from organizations o join customers c on c.id = o.customer_id
    left join lots given on given.customer_id = o.customer_id and given.organization_id = o.id and given.id = ${lead.lotId ?? null}
    left join lateral (
      select v.* from vehicles v where v.customer_id = o.customer_id and v.organization_id = o.id and (
        v.id = ${lead.vehicle?.id ?? null} or v.vin = upper(${vin ?? null}::text) or v.stock_key = lower(${stock ?? null}::text))
      order by (v.id = ${lead.vehicle?.id ?? null}) desc nulls last, (v.vin = upper(${vin ?? null}::text)) desc nulls last, v.id desc limit 1
    ) v on true
    left join lateral (
      select l.id from lots l where l.customer_id = o.customer_id and l.organization_id = o.id order by l.is_visible desc, l.id limit 1
    ) first on true
    where o.id = ${lead.organizationId}`.execute(db)
  const [place] = rows
  if (place === undefined) throw new Error('The organization of the lead does not exist.')
  return place
}

/** The lead that was already received from the same submission, or with the provider's same ID. */
async function findKnown(db: Database, lead: NewLead): Promise<string | null> {
  const [externalId, submissionId] = [lead.externalId ?? null, lead.submissionId ?? null]
  if (externalId === null && submissionId === null) return null
  const { rows } = await sql<{ id: string }>`
    select id::text from leads where submission_id = ${submissionId}
    union all
    select id::text from leads where organization_id = ${lead.organizationId}
      and source_key = lower(${lead.sourceName}) and external_id = ${externalId} limit 1`.execute(db)
  return rows[0]?.id ?? null
}

type Context = Readonly<{ personId: string; place: LeadSubject; receivedAt: Date }>

function titleOf({ vehicle, askedVehicle: asked }: NewLead, place: LeadSubject): string | null {
  const words = [asked?.year, asked?.make, asked?.model, asked?.trim].filter((word) => word != null)
  return vehicle?.title ?? place.vehicleTitle ?? (words.length > 0 ? words.join(' ') : null)
}

async function addLead(
  db: Database,
  lead: NewLead,
  of: Context & { duplicateOf: string | null; leadClock: LeadClock },
): Promise<string | null> {
  const suspicions = [...(lead.suspicions ?? [])]
  const isQuarantined = suspicions.length > 0
  const normal = of.duplicateOf === null ? 'received' : 'duplicate'
  const added = await db
    .insertInto('leads')
    .values({
      organizationId: lead.organizationId,
      lotId: of.place.lotId,
      needsStore: lead.needsStore ?? false,
      storeEvidence: lead.storeEvidence == null ? null : JSON.stringify(lead.storeEvidence),
      personId: of.personId,
      type: lead.type,
      sourceKind: lead.sourceKind,
      sourceName: lead.sourceName,
      sourceId: lead.sourceId ?? null,
      externalId: lead.externalId ?? null,
      formId: lead.formId ?? null,
      submissionId: lead.submissionId ?? null,
      vehicleId: of.place.vehicleId,
      vehicleTitle: titleOf(lead, of.place),
      vehiclePriceCents: lead.vehicle?.priceCents?.toString() ?? null,
      askedVehicle: JSON.stringify(lead.askedVehicle ?? {}),
      tradeIn: lead.tradeIn == null ? null : JSON.stringify(lead.tradeIn),
      comments: lead.comments ?? null,
      ...documentValues(lead, of.place),
      campaign: JSON.stringify(lead.campaign ?? {}),
      pageUrl: lead.pageUrl ?? null,
      referrer: lead.referrer ?? null,
      language: lead.language ?? null,
      status: isQuarantined ? 'quarantined' : normal,
      suspicions,
      isTest: lead.isTest ?? false,
      unfinishedStep: lead.unfinished?.step ?? null,
      unfinishedSteps: lead.unfinished?.steps ?? null,
      duplicateOfId: of.duplicateOf,
      receivedAt: of.receivedAt.toISOString(),
      respondBy: isQuarantined ? null : respondBy(of.leadClock, of.receivedAt).toISOString(),
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id ?? null
}

/** The document with what is searched in it. */
function documentValues({ document = null, person }: NewLead, { currency }: LeadSubject) {
  if (document === null) return {}
  const { emails, phones, address } = document.customer.contact
  const country = phoneCountry(person.country ?? address?.country ?? null, currency)
  const keys = [
    ...emails.map(({ value }) => value.toLowerCase()),
    ...phones.flatMap(({ value }) => phoneE164(value, country) ?? []),
  ]
  return {
    document: JSON.stringify(document),
    sourceDetails: documentText(leadDocument(document)),
    contactKeys: [...new Set(keys)],
    requestedAt: document.requestedAt,
  }
}

/** The first entries of the timeline, and the consents. */
async function noteReceived(
  db: Database,
  lead: NewLead,
  of: {
    leadId: string
    personId: string
    receivedAt: Date
    duplicateOf: string | null
    joined: JoinedPerson | null
  },
): Promise<void> {
  const at = of.receivedAt.toISOString()
  const own = { id: of.leadId, organizationId: lead.organizationId }
  const { sourceName, sourceKind, warnings = 0, consents = [], suspicions = [], storeEvidence = null } = lead
  const by = lead.sourceKind === 'manual' ? {} : { byName: null }
  await noteLeadEvents(db, own, [
    { kind: 'received', at, ...by, data: { sourceName, sourceKind, warnings } },
    ...(storeEvidence === null
      ? []
      : [
          {
            kind: 'store' as const,
            at,
            byName: null,
            data: { toName: storeEvidence.found?.lotName ?? null, text: evidenceText(storeEvidence) },
          },
        ]),
    ...consents.map(({ kind, purpose, channels, text, textVersion }) => ({
      kind: 'consent' as const,
      at,
      byName: null,
      data: { consent: kind, purpose, channels: [...channels], text, version: textVersion ?? null },
    })),
    ...(suspicions.length === 0
      ? []
      : [{ kind: 'quarantined' as const, at, byName: null, data: { suspicions: [...suspicions] } }]),
    ...(of.joined === null
      ? []
      : [{ kind: 'merged' as const, at, byName: null, data: { ...of.joined, isAutomatic: true } }]),
  ])
  await noteConsents(
    db,
    { personId: of.personId, organizationId: lead.organizationId, leadId: of.leadId },
    consents.map((consent) => ({ at, ...consent })),
  )
  if (of.duplicateOf !== null) {
    const comments = lead.comments ?? null
    await noteDuplicate(db, { ...own, sourceName, comments }, { firstId: of.duplicateOf, at })
  }
}
