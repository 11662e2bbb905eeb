import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { customFieldName, isCustomFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { sentenceOf } from '#contract/field-sentences.ts'
import { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import {
  type MappingFile,
  MappingVersion,
  MAX_MAPPING_VERSIONS,
  type NewProviderMapping,
  type ProviderMapping,
  type providerMappings,
} from '#contract/feeds/mappings/provider-mappings.ts'
import { clock } from '#server/clock.ts'
import { holdCustomFields, readCustomFields } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { savedVersions } from '#server/documents/saved-versions.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import { Download, type Upload } from '#server/http/kinds.ts'
import type { Member } from '#server/http/actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { requireUnused, type Use } from '#server/lists/uses.ts'
import { JSON_REFUSALS, parseJson } from '#server/threads/parse-json.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { type Sample, takeSample, tryMapping } from './try-mapping.ts'
import { listProviderMappings, readProviderMapping } from './provider-mapping-list.ts'

const mappingVersions = savedVersions({
  table: 'providerMappings',
  versions: 'providerMappingVersions',
  of: 'mapping_id',
  kept: { name: 'name', provider: 'provider', mapping: 'mapping' },
  schema: MappingVersion,
  most: MAX_MAPPING_VERSIONS,
})

/** Provider mappings: any user with permission can read them; only users with access to the whole customer can change them. */
export const providerMappingHandlers: Handlers<typeof providerMappings> = {
  list: ({ db, actor, input }) => listProviderMappings(db, actor, input),

  get: ({ db, input }) => readProviderMapping(db, input.id),

  add({ db, actor, input }) {
    requireCustomerReach(actor, 'Provider mappings are managed')
    return addProviderMapping(db, actor, input)
  },

  async update({ db, actor, input: { id, version, ...changes } }) {
    requireCustomerReach(actor, 'Provider mappings are managed')
    return saveVersion({ db, actor }, { id, version }, (current) => ({
      name: changes.name ?? current.name,
      provider: changes.provider === undefined ? current.provider : changes.provider,
      mapping: changes.mapping ?? current.mapping,
    }))
  },

  async remove({ db, actor, input }) {
    requireCustomerReach(actor, 'Provider mappings are managed')
    await requireSeen(db, input, { table: 'providerMappings', noun: 'mapping', read: readProviderMapping })
    await requireUnused(db, { noun: 'mapping', table: 'provider_mappings', uses: MAPPING_USES }, input.id)
    const removed = await db
      .deleteFrom('providerMappings')
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Provider mapping')
    return null
  },

  async versions({ db, input }) {
    await readProviderMapping(db, input.id)
    const found = await mappingVersions.list(db, input.id)
    return found.map(({ version, at, by, name, mapping }) => {
      const fields = Object.keys(mapping.fields).length
      return { version, at, by, name, fields }
    })
  },

  async restore({ db, actor, input: { id, version, to } }) {
    requireCustomerReach(actor, 'Provider mappings are managed')
    const { provider, mapping } = await mappingVersions.read(db, id, to)
    return saveVersion({ db, actor }, { id, version }, ({ name }) => ({ name, provider, mapping }))
  },

  async exportOne({ inTenant, input }) {
    const { name, provider, mapping } = await inTenant((db) => readProviderMapping(db, input.id))
    const file = { kind: 'forecourt-provider-mapping', format: 1, name, provider, mapping }
    return new Download({
      name: `${name}.mapping.json`,
      type: 'application/json',
      body: Buffer.from(`${JSON.stringify(file, null, 2)}\n`),
    })
  },

  async importOne({ db, actor, input }) {
    requireCustomerReach(actor, 'Provider mappings are managed')
    const { name, provider, mapping } = input satisfies MappingFile
    return addProviderMapping(db, actor, { name: await freeName(db, name), provider, mapping })
  },

  async attempt({ actor, inTenant, files, input }) {
    const mapping = input.mapping === undefined ? null : readMapping(input.mapping)
    const samples = await explainUnreadable(takeSamples(files, input, actor.customerId))
    const { unit, own } = await inTenant(async (db) => {
      const row = await db
        .selectFrom('customers')
        .select('distanceUnit')
        .where('id', '=', actor.customerId)
        .executeTakeFirstOrThrow()
      return {
        unit: row.distanceUnit === 'km' ? ('km' as const) : ('mi' as const),
        own: await readCustomFields(db, actor.customerId),
      }
    })
    const today = clock.today(actor.timeZone)
    return explainUnreadable(
      tryMapping(samples, { mapping, preset: input.preset, read: { unit, today, own } }),
    )
  },
}

/** Adds a mapping with its first version. @throws Failure 400 for custom fields that don't exist, 409 if the name is in use. */
export async function addProviderMapping(
  db: Database,
  actor: Pick<Member, 'customerId'>,
  given: NewProviderMapping,
): Promise<ProviderMapping> {
  await requireFields(db, actor, given.mapping)
  const { id } = await explainRefusal(
    db
      .insertInto('providerMappings')
      .values({ ...given, mapping: JSON.stringify(given.mapping) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await mappingVersions.store(db, id)
  return readProviderMapping(db, id)
}

/** @throws Failure 400 for custom fields that the customer doesn't have, unless the mapping named them before */
async function requireFields(
  db: Database,
  { customerId }: Pick<Member, 'customerId'>,
  { fields }: FeedMapping,
  before?: FeedMapping,
): Promise<void> {
  const named = Object.keys(fields).filter(isCustomFieldName)
  if (named.length === 0) return
  // Not removed before the mapping is saved.
  const own = (await holdCustomFields(db, customerId)).map(customFieldName)
  const lost = named.filter((name) => !own.includes(name) && before?.fields[name] === undefined)
  if (lost.length === 0) return
  const names = lost.map((name) => name.replace(/^custom_/, '')).join(', ')
  const sentence = `${lost.length === 1 ? "This custom field doesn't" : "These custom fields don't"} exist anymore: ${names}. Add ${lost.length === 1 ? 'it' : 'them'} to the customer's details first.`
  throw refused(sentence, Object.fromEntries(lost.map((name) => [`mapping.fields.${name}`, sentence])))
}

/**
 * @throws Failure 400 for custom fields that don't exist, 404, 409 with the current mapping if the version is stale, and 409 if the
 * name is in use.
 */
async function saveVersion(
  { db, actor }: { db: Database; actor: Member },
  { id, version }: { id: string; version: number | undefined },
  change: (current: ProviderMapping) => {
    name: string
    provider: string | null
    mapping: FeedMapping
  },
): Promise<ProviderMapping> {
  await sql`select 1 from provider_mappings where id = ${id} for update`.execute(db)
  const current = await readProviderMapping(db, id)
  if (version !== undefined && version !== current.version) throw stale('This provider mapping', current)
  const { mapping, ...rest } = change(current)
  await requireFields(db, actor, mapping, current.mapping)
  await explainRefusal(
    db
      .updateTable('providerMappings')
      .set({ ...rest, mapping: JSON.stringify(mapping) })
      .where('id', '=', id)
      .execute(),
  )
  await mappingVersions.store(db, id)
  return readProviderMapping(db, id)
}

async function freeName(db: Database, name: string): Promise<string> {
  const start = name.slice(0, 94)
  const rows = await db.selectFrom('providerMappings').select('name').execute()
  const taken = new Set(rows.map((row) => row.name.toLowerCase()))
  if (!taken.has(name.toLowerCase())) return name
  let count = 2
  while (taken.has(`${start} (${count})`.toLowerCase())) count += 1
  return `${start} (${count})`
}

function readMapping(text: string): FeedMapping {
  const parsed = parseJson(text)
  if (parsed.kind !== 'json')
    throw refused('Some fields are invalid.', { mapping: JSON_REFUSALS[parsed.kind] })
  const read = FeedMapping.safeParse(parsed.value, { error: sentenceOf })
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw refused('Some fields are invalid.', {
    mapping: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? "This isn't a valid mapping."}`,
  })
}

/** Reports a file that can't be read as an error of the `files` field. */
async function explainUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof FeedRefusal) throw refused(error.message, { files: error.message })
    throw error
  }
}

/** The samples to read: one or two files, or a text instead. */
async function takeSamples(
  files: Upload,
  { text }: Received<typeof providerMappings.attempt>,
  customerId: string,
): Promise<readonly [Sample, Sample | undefined]> {
  const samples: Sample[] = []
  for await (const { stream } of files) {
    if (samples.length === 2) throw refused('Send one file, or two files to join.')
    samples.push(await takeSample(stream, customerId))
  }
  const [first, second] = samples
  if (first !== undefined) return [first, second]
  if (text === undefined) throw refused('Send a file or text.', { files: 'Send a file or text.' })
  return [{ bytes: Buffer.from(text), isWhole: true }, undefined]
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw conflict('Another provider mapping already has this name.', {
        name: 'This name is already in use.',
      })
    }
    throw error
  }
}

/** "This mapping is used by …": a source without its mapping would guess one for the next file. */
const MAPPING_USES: readonly Use[] = [
  { nouns: ['feed source', 'feed sources'], from: sql`select mapping_id, name from feed_sources` },
  {
    nouns: ['data mapping for', 'data mappings for'],
    from: sql`select provider_mapping_id, raw from value_mappings`,
  },
]
