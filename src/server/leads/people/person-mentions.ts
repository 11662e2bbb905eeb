import { sql } from 'kysely'
import { AUDIT_KINDS } from '#contract/administration/audit-list.ts'
import { LEAD_LIST } from '#contract/leads/inbox/lead-list.ts'
import type { PersonMention } from '#contract/leads/people/person-data.ts'
import { allowLongStatements, type Database } from '#server/database/tenant-transaction.ts'
import { phonePattern } from './phone-number.ts'

/** Reading all texts of a large customer takes longer than a statement usually may. */
const SEARCH_MS = 240_000

/** The keys of lists in which users search for buyers by name. */
const LISTS_OF_PEOPLE = [LEAD_LIST.key, 'lead-deliveries', 'submissions', 'outbox']

/**
 * Tables in which an erased address or number stays, with the reason. What is in none of them is erased everywhere, also in tables
 * that are added later.
 */
export const KEPT_TEXTS: Readonly<Record<string, string>> = {
  people: 'erased by person; an address that must not be contacted stays on purpose',
  person_contacts: 'the same',
  suppressed_addresses: 'addresses that must not be emailed',
  search_words: 'follows from the records',
  price_requests: 'follows from the records, and is empty again within seconds',
  channel_requests: 'who changed a vehicle, and is empty again within seconds',
  users: 'people who work here',
  memberships: 'the same',
  user_types: 'the same',
  assessment_participants: 'people who were asked for answers',
  assessment_people: 'the same',
  assessment_invitations: 'the same',
  assessment_presence: 'the same, for minutes',
  ...reasonFor('how to reach the company itself', [
    'organizations',
    'organization_profiles',
    'lots',
    'facilities',
    'white_labels',
    'email_handlers',
    'lead_settings',
    'lead_destinations',
    'inbound_addresses',
    'feed_sources',
    'channels',
  ]),
  ...reasonFor('signed or frozen with a hash, or locked with what is', [
    'assessments',
    'assessment_targets',
    'assessment_answers',
    'assessment_answer_log',
    'assessment_mutations',
    'assessment_progress',
    'assessment_snapshots',
    'assessment_version_changes',
    'assessment_evidence',
    'assessment_evidence_links',
    'assessment_comments',
    'assessment_flags',
    'assessment_reviews',
    'assessment_actions',
    'assessment_delegations',
    'assessment_reminders',
    'assessment_reopenings',
    'questionnaires',
    'questionnaire_versions',
    'carbon_inventories',
    'inventory_approvals',
    'inventory_approval_parts',
    'inventory_status_events',
    'inventory_reopenings',
    'inventory_facilities',
    'inventory_facility_snapshots',
    'inventory_scope3',
    'base_year_notices',
    'emission_sources',
    'custom_sources',
    'activity_records',
    'activity_imports',
    'activity_import_lines',
    'activity_mappings',
    'data_requests',
    'evidence_files',
    'imported_totals',
    'instruments',
    'intensity_denominators',
    'factor_datasets',
    'emission_factors',
    'calculation_results',
    'calculation_lines',
    'calculation_totals',
  ]),
}

function reasonFor(reason: string, tables: readonly string[]): Record<string, string> {
  return Object.fromEntries(tables.map((table) => [table, reason]))
}

/** Of these, no one has to be told: they are erased by their own rules, or follow from other records. */
const UNTOLD = new Set(['suppressed_addresses', 'search_words', 'price_requests', 'channel_requests'])

/** What is erased: everything by which the person is searched for. */
export type PersonTerms = Readonly<{
  emails: readonly string[]
  phones: readonly string[]
  /** Whole names, and those parts that are nobody else's. */
  names: readonly string[]
}>

/** The rows that are erased as a whole, by their table, and by the columns that name them. */
export type GoneRows = Readonly<Record<string, readonly string[]>>

/** Counts the texts of other records that mention a person, without those in `gone`. */
export const countMentions = (db: Database, terms: PersonTerms, gone: GoneRows): Promise<PersonMention[]> =>
  readMentions(db, { terms, gone, writes: false })

/** Replaces them, also in the audit log. What stays is returned, too. */
export const eraseMentions = (db: Database, terms: PersonTerms): Promise<PersonMention[]> =>
  readMentions(db, { terms, gone: {}, writes: true })

async function readMentions(
  db: Database,
  { terms, gone, writes }: { terms: PersonTerms; gone: GoneRows; writes: boolean },
): Promise<PersonMention[]> {
  const patterns = patternsOf(terms)
  if (patterns === null) return []
  await allowLongStatements(db, SEARCH_MS)
  const { rows } = await sql<{ tableName: string; mentions: string; isKept: boolean }>`
    select table_name, mentions::text, is_kept from mentions_of_person(${JSON.stringify(patterns)}::jsonb,
      ${Object.keys(KEPT_TEXTS)}::text[], ${JSON.stringify(gone)}::jsonb, ${writes})`.execute(db)
  const found = new Map<string, PersonMention>()
  for (const { tableName, mentions, isKept } of rows) {
    if (UNTOLD.has(tableName)) continue
    const what = AUDIT_KINDS.find(({ value }) => value === tableName)?.label ?? 'Other record'
    const before = found.get(`${what} ${isKept}`)
    found.set(`${what} ${isKept}`, { what, count: (before?.count ?? 0) + Number(mentions), isKept })
  }
  return [...found.values()]
}

/**
 * Emails to others that mention someone. Their text is encrypted, so they are found by their subjects, and by what leads have of
 * them.
 * @param gone emails that are erased anyway
 */
export async function findMails(
  db: Database,
  terms: PersonTerms,
  gone: readonly string[],
): Promise<string[]> {
  const patterns = patternsOf(terms)
  if (patterns === null) return []
  const { rows } = await sql<{ id: string }>`
    select o.id::text from outbox_mails o where not o.id = any (${[...gone]}::bigint[]) and o.text_sealed <> ''
      and (o.subject ~* ${patterns.pattern} or exists (select from lead_messages m
        where m.customer_id = o.customer_id and m.mail_id = o.id and to_jsonb(m)::text ~* ${patterns.pattern}))`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Empties their texts. One that waits to be sent fails. */
export async function emptyMails(db: Database, ids: readonly string[]): Promise<void> {
  await sql`
    update outbox_mails o set text_sealed = '', html_sealed = null, next_attempt_at = null,
      error = case when o.state = 'waiting' then 'It mentioned someone whose data was erased.' else o.error end,
      state = case when o.state = 'waiting' then 'failed' else o.state end
    where o.id = any (${[...ids]}::bigint[])`.execute(db)
}

/** Regular expressions of PostgreSQL; null if there is nothing to look for. `loose` is fast and finds more than `pattern`. */
function patternsOf({ emails, phones, names }: PersonTerms) {
  const addresses = emails.map((email) =>
    escaped(email).replace('@', String.raw`\s?(?:@|%40|&#64;|\uFF20)\s?`),
  )
  const numbers = phones.map(phonePattern)
  if (addresses.length + numbers.length + names.length === 0) return null
  const searched = [...new Set(names.flatMap(spellings))].map(escaped)
  // A search finds a number by its last digits.
  const endings = numbers.map(({ ending }) => ending)
  const inSearches = [...searched.map((name) => `(?<![[:alnum:]])${name}(?![[:alnum:]])`), ...endings]
  const everywhere = [
    ...addresses.map((one) => `(?<![a-z0-9._+-])${one}(?![a-z0-9-]|\\.[a-z0-9])`),
    ...numbers.map(({ whole }) => whole),
  ]
  return {
    // Someone of whom only the name is erased: nothing else is.
    pattern: everywhere.length === 0 ? '(?!)' : `(?:${everywhere.join('|')})`,
    names: inSearches.length === 0 ? null : `(?:${inSearches.join('|')})`,
    loose: [...addresses, ...endings, ...searched].join('|'),
    lists: LISTS_OF_PEOPLE,
  }
}

/** Also without accents. */
const spellings = (name: string): string[] => [name, name.normalize('NFD').replaceAll(/\p{M}/gu, '')]

const escaped = (text: string): string => text.replaceAll(/[^\p{L}\p{N}@\s]/gu, String.raw`\$&`)
