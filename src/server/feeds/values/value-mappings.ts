import { valueKey } from '#contract/feeds/values/mapped-fields.ts'
import type { ValueMapping, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isViolation } from '#server/database/violations.ts'
import { Failure, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { importValueMappings } from './import-value-mappings.ts'
import { refuseTooManyMappings } from './mapping-limit.ts'
import { findValueMapping, listValueMappings, readValueMapping } from './value-mapping-list.ts'

type ValueMappingInput = Pick<ValueMapping, 'field' | 'raw' | 'canonical'> & {
  providerMappingId?: string | null | undefined
}

/** For `requireCustomerReach`: data mappings apply to every rooftop. */
export const MANAGED_CENTRALLY = 'Data mappings are managed'

/** Data mappings. Changing them requires access to the whole customer. */
export const valueMappingHandlers: Omit<Handlers<typeof valueMappings>, 'preview' | 'apply'> = {
  list: ({ db, actor, input }) => listValueMappings(db, actor, input),

  get: ({ db, input }) => readValueMapping(db, input.id),

  async add({ db, actor, input }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    const added = await addValueMapping(db, input)
    await refuseTooManyMappings(db, actor.customerId)
    return added
  },

  async update({ db, actor, input: { id, version, ...given } }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    const columns = columnsOf(given)
    const mapping = db.updateTable('valueMappings').set(columns).where('id', '=', id)
    const changed = await explainRefusal(
      (version === undefined ? mapping : mapping.where('version', '=', version))
        .returning('id')
        .executeTakeFirst(),
    )
    if (changed === 'taken') throw await taken(null, columns)
    const current = await readValueMapping(db, id)
    if (changed === undefined) throw stale('This data mapping', current)
    return current
  },

  async remove({ db, actor, input }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    await requireSeen(db, input, { table: 'valueMappings', noun: 'data mapping', read: readValueMapping })
    const removed = await db
      .deleteFrom('valueMappings')
      .where('id', '=', input.id)
      .returning('id')
      .executeTakeFirst()
    if (removed === undefined) throw notFound('Data mapping')
    return null
  },

  async removeMany({ db, actor, input }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    const removed = await db
      .deleteFrom('valueMappings')
      .where('id', 'in', input.ids)
      .returning('id')
      .execute()
    if (removed.length === 0) throw notFound('Data mapping')
    return { removed: removed.length }
  },

  async importMany({ db, actor, input }) {
    requireCustomerReach(actor, MANAGED_CENTRALLY)
    const imported = await importValueMappings(db, input.text)
    if (imported.added > 0) await refuseTooManyMappings(db, actor.customerId)
    return imported
  },
}

/** Adds a mapping. @throws Failure 409 with the value's existing mapping, 400 for an unknown provider mapping. */
export async function addValueMapping(db: Database, given: ValueMappingInput): Promise<ValueMapping> {
  const columns = columnsOf(given)
  const added = await explainRefusal(
    db
      .insertInto('valueMappings')
      .values(columns)
      .onConflict((clash) => clash.constraint('value_mappings_value').doNothing())
      .returning('id')
      .executeTakeFirst(),
  )
  if (added === undefined || added === 'taken') throw await taken(db, columns)
  return readValueMapping(db, added.id)
}

function columnsOf({ field, raw, canonical, providerMappingId = null }: ValueMappingInput) {
  return { field, raw, rawKey: valueKey(raw), canonical, providerMappingId }
}

/** @param db null after a constraint violation, because the transaction can no longer read the existing row. */
async function taken(db: Database | null, of: ReturnType<typeof columnsOf>): Promise<Failure> {
  const current = db === null ? null : await findValueMapping(db, of)
  const becomes = current?.canonical ?? null
  const effect = becomes === null ? 'is ignored' : `becomes ${becomes}`
  return new Failure(
    409,
    current === null
      ? 'This value already has a mapping.'
      : `This value already has a mapping: it ${effect}. Edit that mapping instead.`,
    { fields: { raw: 'This value already has a mapping.' }, ...(current !== null && { current }) },
  )
}

async function explainRefusal<T>(statement: Promise<T>): Promise<T | 'taken'> {
  try {
    return await statement
  } catch (error) {
    if (isViolation(error, 'unique')) return 'taken'
    if (isViolation(error, 'foreign key')) {
      throw refused('Some fields are invalid.', {
        providerMappingId: 'Choose one of your provider mappings.',
      })
    }
    throw error
  }
}
