import { sql } from 'kysely'
import { type people, Person, PersonMerge } from '#contract/leads/people/people.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteOnOpenLeads, revokeChannels } from './opt-outs.ts'
import { noteConsents } from '../consents/note-consents.ts'
import { readConsents } from '../inbox/read-lead.ts'
import { routeSplitLeads } from '../inbox/release-lead.ts'
import { dropContact, enterContact, labelContact, preferContact, readContactKey } from './change-contacts.ts'
import { mergePeople, tellApart, undoMerge } from './merge-people.ts'
import { personColumns } from './person-columns.ts'
import { useLatestContacts } from './person-contacts.ts'
import { phoneCountry } from './phone-number.ts'
import { mergeColumns } from './read-merges.ts'
import { recordsOfPerson } from './records-of-person.ts'
import { findSimilarPeople } from './similar-people.ts'

type ContactCalls = 'addContact' | 'updateContact' | 'removeContact'

/** The addresses and numbers of buyers. */
const contacting: Pick<Handlers<typeof people>, ContactCalls> = {
  async addContact({ db, actor, input: { personId, kind, value, label = null } }) {
    const person = await lockPersonRow(db, personId)
    requireShown(person)
    const country = await countryOf(db, actor.customerId, person)
    const { organizationId } = person
    await enterContact(db, { personId, organizationId, country }, { kind, value, label })
    return readPerson(db, personId)
  },

  async updateContact({ db, input: { id, label, isPreferred } }) {
    const contact = await readContactKey(db, id)
    await lockPersonRow(db, contact.personId)
    if (label !== undefined) await labelContact(db, { ...contact, label })
    if (isPreferred !== undefined) await preferContact(db, contact, isPreferred)
    await useLatestContacts(db, contact.personId)
    return readPerson(db, contact.personId)
  },

  async removeContact({ db, input: { id } }) {
    const contact = await readContactKey(db, id)
    await lockPersonRow(db, contact.personId)
    await dropContact(db, contact)
    return readPerson(db, contact.personId)
  },
}

/** The buyers of the caller's organization, or of the whole customer for callers with customer reach. */
export const peopleHandlers: Handlers<typeof people> = {
  ...contacting,

  async update({ db, actor, input: { id, version, email, phone, ...changes } }) {
    const current = await lockPersonRow(db, id)
    if (version !== undefined && current.version !== version) throw stale('This person', current)
    const { firstName = current.firstName, lastName = current.lastName } = changes
    const isRenamed = firstName !== current.firstName || lastName !== current.lastName
    const parts = [firstName, lastName].filter((part) => part !== null)
    await db
      .updateTable('people')
      .set({
        ...changes,
        ...(isRenamed && { name: parts.length > 0 ? parts.join(' ') : null }),
        version: sql`version`,
      })
      .where('id', '=', id)
      .execute()
    const country = await countryOf(db, actor.customerId, current)
    await changeContact(db, current, { kind: 'email', value: email, country })
    await changeContact(db, current, { kind: 'phone', value: phone, country })
    return readPerson(db, id)
  },

  async similar({ db, input: { id } }) {
    await readPerson(db, id)
    return findSimilarPeople(db, id)
  },

  async merge({ db, input }) {
    const id = await mergePeople(db, input)
    const { rows } = await sql<PersonMerge>`
      select ${mergeColumns} from person_merges m join people mp on mp.customer_id = m.customer_id and mp.id = m.merged_id
      where m.id = ${id}`.execute(db)
    return PersonMerge.parse(rows[0])
  },

  async undoMerge({ db, input }) {
    const split = await undoMerge(db, input.id)
    await routeSplitLeads(db, split)
    return readPerson(db, split.separateId)
  },

  async tellApart({ db, input: { id, otherId } }) {
    if (id === otherId) throw refused('Choose two different people.')
    const [one, other] = [await lockPersonRow(db, id), await lockPersonRow(db, otherId)]
    if (one.organizationId !== other.organizationId)
      throw refused('Some fields are invalid.', { otherId: 'Choose a person of the same store.' })
    requireShown(one)
    requireShown(other)
    await tellApart(db, { organizationId: one.organizationId, oneId: id, otherId })
    return null
  },

  async revoke({ db, input: { id, channel, text } }) {
    const person = await lockPersonRow(db, id)
    requireShown(person)
    const of = { personId: id, organizationId: person.organizationId, leadId: null }
    await revokeChannels(db, of, { channels: [channel], text })
    return readConsents(db, id)
  },

  async consent({ db, input: { id, channel, text } }) {
    const person = await lockPersonRow(db, id)
    requireShown(person)
    const { organizationId } = person
    const given = { kind: 'given', purpose: 'inquiry', channels: [channel], text } as const
    await noteConsents(db, { personId: id, organizationId, leadId: null }, [given])
    await noteOnOpenLeads(
      db,
      { personId: id, organizationId },
      {
        kind: 'consent',
        data: { consent: 'given', purpose: 'inquiry', channels: [channel], text },
      },
    )
    return readConsents(db, id)
  },
}

type LockedPerson = Person & { organizationId: string; mergedIntoId: string | null }

/** @throws Failure 409 */
function requireShown({ mergedIntoId }: LockedPerson): void {
  if (mergedIntoId !== null)
    throw conflict('This person was merged with another person. Open that one instead.')
}

/**
 * What a user enters as the address or number is the one to use; the former one stays among the others. An empty one is removed.
 */
async function changeContact(
  db: Database,
  person: LockedPerson,
  { kind, value, country }: { kind: 'email' | 'phone'; value: string | null | undefined; country: string },
): Promise<void> {
  const current = person[kind]
  if (value === undefined || value === current) return
  const { id: personId, organizationId } = person
  if (value !== null) {
    await enterContact(
      db,
      { personId, organizationId, country },
      { kind, value, label: null, isPreferred: true },
    )
    return
  }
  const { rows } = await sql<{ valueKey: string }>`
    select c.value_key from person_contacts c where c.person_id = any (${recordsOfPerson(personId)}) and c.kind = ${kind}
      and c.value = ${current} limit 1`.execute(db)
  for (const { valueKey } of rows) await dropContact(db, { personId, kind, valueKey })
}

/** The country of phone numbers without a country code. */
async function countryOf(db: Database, customerId: string, { country }: Person): Promise<string> {
  const { currency } = await db
    .selectFrom('customers')
    .select('currency')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return phoneCountry(country, currency)
}

/** @throws Failure 404 */
async function readPerson(db: Database, id: string): Promise<Person> {
  const { rows } = await sql<Person>`select ${personColumns} from people p where p.id = ${id}`.execute(db)
  const [person] = rows
  if (person === undefined) throw notFound('Person')
  return Person.parse(person)
}

/** @throws Failure 404 */
async function lockPersonRow(db: Database, id: string): Promise<LockedPerson> {
  const row = await db
    .selectFrom('people')
    .select(['organizationId', 'mergedIntoId'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound('Person')
  return { ...(await readPerson(db, id)), ...row }
}
