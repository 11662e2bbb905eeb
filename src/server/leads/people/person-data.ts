import { sql, type RawBuilder } from 'kysely'
import { requireBuyers } from './reads-buyers.ts'
import type { personData, PersonDataCounts, PersonMention } from '#contract/leads/people/person-data.ts'
import { asIdentity, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteEvent } from '#server/identity/index.ts'
import { eraseLeads, eraseMailsTo, erasePeople, eraseSubmissions } from '../inbox/erase-leads.ts'
import {
  countMentions,
  emptyMails,
  eraseMentions,
  findMails,
  type GoneRows,
  type PersonTerms,
} from './person-mentions.ts'
import { phoneCountry, phoneE164, phonePattern } from './phone-number.ts'

/** The IDs of what is stored about buyers. */
type PersonRows = Readonly<{
  people: string[]
  /** Those of them under which the others are shown. */
  shown: string[]
  contacts: string[]
  leads: string[]
  messages: string[]
  consents: string[]
  submissions: string[]
  texts: string[]
  emails: string[]
  names: string[]
  stores: string[]
  openLeads: number
  /** What only they have. */
  terms: PersonTerms
  /** What others have, too, or the company itself: it stays, and is named. */
  shared: PersonTerms
}>

/** Finding, exporting and erasing what is stored about a buyer, within the caller's reach. */
export const personDataHandlers: Handlers<typeof personData> = {
  async find({ db, actor, input: { contact } }) {
    requireBuyers(actor)
    const found = await findData(db, actor.customerId, contact)
    const { names, stores, openLeads } = found
    const mentions = await mentionsOf(db, found)
    return { names, stores, openLeads, counts: countsOf(found, mentions), mentions }
  },

  async export({ db, actor, input: { contact } }) {
    requireBuyers(actor)
    const found = await findData(db, actor.customerId, contact)
    if (isNothing(countsOf(found, []))) throw notFound('Personal data')
    const rows = async (table: string, ids: readonly string[], leaves: readonly string[] = []) => {
      const own = sql.ref(table)
      const { rows: read } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) - ${[...leaves, 'customer_id']}::text[] as row from ${own} t
        where t.id = any (${[...ids]}::bigint[]) order by t.id`.execute(db)
      return read.map(({ row }) => row)
    }
    const { rows: timeline } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(e) - 'customer_id' as row from lead_events e where e.lead_id = any (${found.leads}::bigint[])
      order by e.lead_id, e.at, e.id`.execute(db)
    return {
      people: await rows('people', found.people),
      contacts: await rows('person_contacts', found.contacts),
      leads: await rows('leads', found.leads, ['reply_token', 'next_owner_ids']),
      timeline: timeline.map(({ row }) => row),
      messages: await rows('lead_messages', found.messages),
      consents: await rows('consent_events', found.consents),
      submissions: await rows('form_submissions', found.submissions),
      texts: await rows('lead_sources', found.texts),
      files: await filesOf(db, found),
      emails: await rows('outbox_mails', found.emails, [
        'text_sealed',
        'html_sealed',
        'lease',
        'message_key',
      ]),
    }
  },

  async erase({ db, actor, input: { contact, confirmed } }) {
    const found = await findData(db, actor.customerId, contact)
    const counts = countsOf(found, await mentionsOf(db, found))
    if (isNothing(counts)) throw notFound('Personal data')
    if (JSON.stringify(counts) !== JSON.stringify({ ...counts, ...confirmed }))
      throw conflict('Data about this person changed in the meantime. Search again.')
    await eraseLeads(db, found.leads)
    await eraseSubmissions(db, found.submissions)
    await sql`delete from lead_sources where id = any (${found.texts}::bigint[])`.execute(db)
    await eraseMailsTo(db, found.emails)
    const { kept } = await erasePeople(db, found.people)
    // They may contain the person, and can't be searched.
    const { rows } = await sql<{ files: number }>`select drop_export_files() as files`.execute(db)
    await sql`update job_rows r set title = null from jobs j
      where r.row_id = any (${found.leads}::bigint[]) and j.id = r.job_id and j.kind like 'leads.%'`.execute(
      db,
    )
    await emptyMails(db, await findMails(db, found.terms, found.emails))
    const left = [
      ...(await eraseMentions(db, found.terms)).filter(({ isKept }) => isKept),
      ...(await sharedMentions(db, found)),
    ]
    await noteErasure(db, actor, counts)
    return { erased: counts, kept, files: rows[0]?.files ?? 0, left }
  },
}

/** What other records say about them: what is erased, and what stays. */
async function mentionsOf(db: Database, found: PersonRows): Promise<PersonMention[]> {
  const mails = await findMails(db, found.terms, found.emails)
  return [
    ...(await countMentions(db, found.terms, goneRows(found))),
    ...(mails.length === 0 ? [] : [{ what: 'Text of an email', count: mails.length, isKept: false }]),
    ...(await sharedMentions(db, found)),
  ]
}

/** The files of their emails. Their bytes are downloaded from the leads. */
async function filesOf(db: Database, { texts, leads }: PersonRows): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{ row: Record<string, unknown> }>`
    select to_jsonb(f) - '{customer_id,stored_as}'::text[] as row from lead_files f
    where f.source_id = any (${texts}::bigint[]) or f.lead_id = any (${leads}::bigint[]) order by f.id`.execute(
    db,
  )
  return rows.map(({ row }) => row)
}

const sharedMentions = async (db: Database, found: PersonRows): Promise<PersonMention[]> =>
  (await countMentions(db, found.shared, goneRows(found))).map((one) => ({ ...one, isKept: true }))

/** That something was erased, by whom and how much, stays known; of whom doesn't. */
function noteErasure(db: Database, actor: Member, counts: PersonDataCounts): Promise<void> {
  return noteEvent(asIdentity(db), {
    customerId: actor.customerId,
    organizationId: actor.reach === 'customer' ? null : actor.organizationId,
    by: actor,
    endpoint: 'personData.erase',
    table: 'people',
    rowId: '',
    what: 'erased the data of a person',
    more: { erased: counts },
  })
}

const isNothing = (counts: PersonDataCounts): boolean => Object.values(counts).every((count) => count === 0)

/** What is deleted as a whole, and what is deleted with it. */
function goneRows({
  people,
  contacts,
  leads,
  messages,
  consents,
  submissions,
  texts,
  emails,
}: PersonRows): GoneRows {
  return {
    people,
    person_contacts: contacts,
    leads,
    lead_messages: messages,
    consent_events: consents,
    form_submissions: submissions,
    lead_sources: texts,
    outbox_mails: emails,
    person_id: people,
    lead_id: leads,
    submission_id: submissions,
    source_id: texts,
  }
}

function countsOf(found: PersonRows, mentions: readonly PersonMention[]): PersonDataCounts {
  const { shown, leads, messages, consents, submissions, texts, emails } = found
  return {
    // Each lead has a row of its own.
    people: shown.length,
    leads: leads.length,
    messages: messages.length,
    consents: consents.length,
    submissions: submissions.length,
    texts: texts.length,
    emails: emails.length,
    mentions: mentions.reduce((sum, { count, isKept }) => sum + (isKept ? 0 : count), 0),
  }
}

/** Whether a phone number as it was typed is the one with this E.164 form: its digits are the last ones of that. */
function isSamePhone(typed: RawBuilder<unknown>, phone: string | null): RawBuilder<boolean> {
  if (phone === null) return sql`false`
  const digits = sql`ltrim(regexp_replace(${typed}, '\\D', '', 'g'), '0')`
  return sql`coalesce(length(${digits}) >= ${FEWEST_DIGITS} and right(${phone}, length(${digits})) = ${digits}, false)`
}
/** Fewer could be anyone's. */
const FEWEST_DIGITS = 7

/** Everything about the people with an email address or a phone number, and those merged with them. */
async function findData(db: Database, customerId: string, contact: string): Promise<PersonRows> {
  const { currency } = await db
    .selectFrom('customers')
    .select('currency')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  const email = contact.includes('@') ? contact.trim().toLowerCase() : null
  const phone = email === null ? phoneE164(contact, phoneCountry(null, currency)) : null
  const { peopleIds, leadIds, emails, numbers } = await readOwnKeys(db, customerId, email ?? phone)
  const leads = sql`select x.id from unnest(${leadIds}::bigint[]) x (id)`
  const addresses = [...new Set([...emails, ...(email === null ? [] : [email])])]
  const unread = sql`select m.source_id from inbound_messages m where m.customer_id = ${customerId} and m.state = 'quarantined'`
  const numberPattern = phone === null ? null : phonePattern(phone).whole
  const ids = (of: RawBuilder<unknown>) =>
    sql`coalesce((select array_agg(x.id::text order by x.id) from (${of}) x), '{}')`
  const { rows } = await sql<Omit<PersonRows, 'terms' | 'shared'> & { persons: Person[] }>`
    select coalesce((select jsonb_agg(jsonb_build_object('name', p.name, 'email', p.email_key, 'phone', p.phone_e164))
        from people p where p.id = any (${peopleIds}::bigint[])), '[]') as persons,
      (select count(*)::int from leads l where l.id in (${leads}) and l.outcome in ('open', 'contacted', 'appointment')
        and l.status not in ('duplicate', 'quarantined')) as open_leads,
      ${ids(sql`select p.id from people p where p.id = any (${peopleIds}::bigint[])`)} as people,
      ${ids(sql`select p.id from people p where p.id = any (${peopleIds}::bigint[]) and p.merged_into_id is null`)} as shown,
      ${ids(sql`select c.id from person_contacts c where c.person_id = any (${peopleIds}::bigint[])`)} as contacts, ${ids(leads)} as leads,
      ${ids(sql`select m.id from lead_messages m where m.lead_id in (${leads})`)} as messages,
      ${ids(sql`select e.id from consent_events e where e.person_id = any (${peopleIds}::bigint[])`)} as consents,
      ${ids(sql`select s.id from form_submissions s where s.customer_id = ${customerId}
        and (s.id in (select l.submission_id from leads l where l.id in (${leads})) or lower(s.sender_email) = any (${addresses}::text[])
          or ${isSamePhone(sql`s.sender_phone`, phone)})`)} as submissions,
      ${ids(sql`select s.id from lead_sources s where s.id in (
          select l.source_id from leads l where l.id in (${leads})
          union select m.source_id from inbound_messages m join inbound_message_leads i
            on i.customer_id = m.customer_id and i.message_id = m.id where i.lead_id in (${leads}))
        or s.from_key = any (${addresses}::text[])
        -- What couldn't be read, and so belongs to nobody.
        or s.id in (${unread}) and (s.raw ~* ${numberPattern}
          or exists (select from unnest(${addresses}::text[]) a (address) where position(a.address in lower(s.raw)) > 0)
          or exists (select from unnest(${numbers}::text[]) n (number)
            where position(right(n.number, 10) in regexp_replace(s.raw, '[^0-9<]', '', 'g')) > 0))`)} as texts,
      ${ids(sql`select o.id from outbox_mails o where o.customer_id = ${customerId} and (o.user_id is not null
          -- What owners of leads were told. Its text is encrypted.
          and exists (select from people p cross join lateral (select coalesce(p.name, p.email, p.phone) as shown) n
            where p.id = any (${peopleIds}::bigint[]) and (o.subject in (n.shown || ' replied', 'New lead: ' || n.shown)
              or starts_with(o.subject, 'New lead: ' || n.shown || ', ')))
        or o.user_id is null and (lower(o.to_email) = any (${addresses}::text[])
          or o.id in (select m.mail_id from lead_messages m where m.lead_id in (${leads})
            union select d.mail_id from lead_deliveries d where d.lead_id in (${leads}))))`)} as emails,
      coalesce((select array_agg(distinct coalesce(p.name, p.email, p.phone)) from people p where p.id = any (${peopleIds}::bigint[])), '{}') as names,
      coalesce((select array_agg(distinct o.name) from people p join organizations o
        on o.customer_id = p.customer_id and o.id = p.organization_id where p.id = any (${peopleIds}::bigint[])), '{}') as stores`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('The search returned no row.')
  const { persons, ...found } = row
  const others = [...emails, ...numbers].map((key): Person =>
    key.includes('@') ? { name: null, email: key, phone: null } : { name: null, email: null, phone: key },
  )
  const both = await termsOf(db, {
    persons: [...persons, ...others, { name: null, email, phone }],
    people: found.people,
  })
  return { ...found, ...both }
}

type OwnKeys = { peopleIds: string[]; leadIds: string[]; emails: string[]; numbers: string[] }

/** Everyone with an address or number, and those merged with them; their leads, addresses and numbers. */
async function readOwnKeys(db: Database, customerId: string, key: string | null): Promise<OwnKeys> {
  const { rows: known } = await sql<{ id: string }>`
    select distinct coalesce(p.merged_into_id, p.id)::text as id from people p join (
      select o.id from people o where o.email_key = ${key}
      union select o.id from people o where o.phone_e164 = ${key}
      union select c.person_id from person_contacts c where c.customer_id = ${customerId} and c.value_key = ${key}
      -- What only the document has.
      union select l.person_id from leads l where l.customer_id = ${customerId} and ${key}::text = any (l.contact_keys)) k on k.id = p.id`.execute(
    db,
  )
  const shown = known.map(({ id }) => id)
  const { rows } = await sql<OwnKeys>`
    with own as materialized (select p.id from people p where p.id = any (${shown}::bigint[])
      union select p.id from people p where p.merged_into_id = any (${shown}::bigint[])),
    theirs as materialized (select l.id, l.contact_keys from leads l where l.person_id in (select id from own)),
    keys as materialized (select c.value_key as key from person_contacts c where c.person_id in (select id from own)
      union select k from theirs, unnest(contact_keys) k
      union select p.email_key from people p where p.id in (select id from own) and p.email_key is not null
      union select p.phone_e164 from people p where p.id in (select id from own) and p.phone_e164 is not null)
    select array(select id::text from own) as people_ids, array(select id::text from theirs) as lead_ids,
      array(select key from keys where position('@' in key) > 0) as emails,
      array(select key from keys where key like '+%') as numbers`.execute(db)
  return rows[0] ?? { peopleIds: [], leadIds: [], emails: [], numbers: [] }
}

type Person = { name: string | null; email: string | null; phone: string | null }

/**
 * What is looked for in other texts: an address or number that neither another buyer has, such as one who lives with them, nor
 * the company itself, such as the number of a store that was typed into a form.
 */
async function termsOf(
  db: Database,
  { persons, people }: { persons: readonly Person[]; people: readonly string[] },
): Promise<Pick<PersonRows, 'terms' | 'shared'>> {
  const given = (key: keyof Person) => [...new Set(persons.flatMap((one) => one[key] ?? []))]
  const own = sql`select concat_ws(' ', u.email_key, u.phone) as text from users u
    union all select l.phone from lots l
    union all select concat_ws(' ', c.phone, c.contacts::text) from customers c
    union all select o.contacts::text from organization_profiles o
    union all select concat_ws(' ', h.from_email, h.reply_to) from email_handlers h
    union all select d.to_email from lead_destinations d`
  const names = given('name')
  // An initial is no name.
  const parts = names.flatMap((name) => name.split(/\s+/u)).filter((part) => part.length > 1)
  const { rows } = await sql<{ emails: string[]; phones: string[]; parts: string[] }>`
    with own as materialized (select lower(x.text) as text, regexp_replace(x.text, '\\D', '', 'g') as digits from (${own}) x)
    select
      array(select e from unnest(${given('email')}::text[]) e
        where not exists (select from person_contacts c where c.kind = 'email' and c.value_key = e and not c.person_id = any (${people}::bigint[]))
          and not exists (select from own where position(e in own.text) > 0)) as emails,
      array(select n from unnest(${given('phone')}::text[]) n
        where not exists (select from person_contacts c where c.kind = 'phone' and c.value_key = n and not c.person_id = any (${people}::bigint[]))
          and not exists (select from own where position(right(n, 10) in own.digits) > 0)) as phones,
      -- A part of a name is also that of others, or of what is sold.
      array(select w from unnest(${parts}::text[]) w
        where not exists (select from people p where not p.id = any (${people}::bigint[]) and p.name is not null
            and lower(w) = any (regexp_split_to_array(lower(p.name), '[^[:alnum:]]+')))
          and not exists (select from vehicles v where lower(w) = any (
            regexp_split_to_array(lower(concat_ws(' ', v.make, v.model, v.trim)), '[^[:alnum:]]+')))) as parts`.execute(
    db,
  )
  const { emails, phones, parts: ofThem } = rows[0] ?? { emails: [], phones: [], parts: [] }
  return {
    terms: { emails, phones, names: [...names, ...ofThem] },
    shared: {
      emails: given('email').filter((one) => !emails.includes(one)),
      phones: given('phone').filter((one) => !phones.includes(one)),
      names: [],
    },
  }
}
