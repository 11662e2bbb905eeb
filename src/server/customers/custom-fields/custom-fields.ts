import { sql } from 'kysely'
import { CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { holdRecords } from '#server/database/hold-records.ts'
import { conflict, refused } from '#server/http/failure.ts'

/** The customer's custom vehicle fields, in display order. */
export async function readCustomFields(db: Database, customerId: string): Promise<CustomField[]> {
  const row = await db
    .selectFrom('customers')
    .select('customFields')
    .where('id', '=', customerId)
    .executeTakeFirst()
  return CustomField.array().parse(row?.customFields ?? [])
}

/** As `readCustomFields`, and none of them is removed before the transaction ends: for who saves something that names them. */
export async function holdCustomFields(db: Database, customerId: string): Promise<CustomField[]> {
  await holdRecords(db, 'customers', [customerId])
  return readCustomFields(db, customerId)
}

/**
 * Protects stored values: a field's kind can't change, and a field can't be removed while vehicles have values for it.
 * @throws Failure 400 for a changed kind, 409 with the number of vehicles.
 */
export async function refuseLostFields(
  db: Database,
  customerId: string,
  fields: readonly CustomField[],
): Promise<void> {
  // Serializes concurrent saves: the second is checked against the first one's result.
  await sql`select from customers where id = ${customerId} for update`.execute(db)
  const before = await readCustomFields(db, customerId)
  const changed = fields.findIndex(({ key, kind }) =>
    before.some((one) => one.key === key && one.kind !== kind),
  )
  if (changed >= 0) {
    throw refused('Some fields are invalid.', {
      [`customFields.${changed}.kind`]:
        "A field's type can't be changed. Archive the field and add a new one.",
    })
  }
  await refuseLostChoices(db, customerId, { before, fields })
  for (const field of before.filter(({ key }) => fields.every((one) => one.key !== key))) {
    const vehicles = await countValues(db, customerId, field)
    const sentence =
      vehicles > 0
        ? `${field.name} has values for ${vehicles.toLocaleString('en')} ${vehicles === 1 ? 'vehicle' : 'vehicles'}. Archive it instead to keep its values.`
        : await findUse(db, customerId, field)
    if (sentence !== null) throw conflict(sentence, { customFields: sentence })
  }
}

/** A choice that vehicles have can't be removed or renamed: no filter would find them. @throws Failure 400 with the vehicles */
async function refuseLostChoices(
  db: Database,
  customerId: string,
  { before, fields }: { before: readonly CustomField[]; fields: readonly CustomField[] },
): Promise<void> {
  for (const [at, field] of fields.entries()) {
    const kept = new Set(field.choices)
    const lost = before.find(({ key }) => key === field.key)?.choices.filter((one) => !kept.has(one)) ?? []
    if (lost.length === 0) continue
    const value = sql`v.custom ->> ${customFieldName(field)}`
    // oxlint-disable-next-line no-await-in-loop -- One connection.
    const { rows } = await sql<{ choice: string; vehicles: number }>`
      select ${value} as choice, count(*)::int as vehicles from vehicles v
      where v.customer_id = ${customerId} and ${value} = any(${lost}::text[]) group by 1 order by 1`.execute(
      db,
    )
    const used = rows.map(({ choice, vehicles }) => `“${choice}” (${vehicles.toLocaleString('en')})`)
    if (used.length > 0)
      throw refused('Some fields are invalid.', {
        [`customFields.${at}.choices`]: `Vehicles have ${new Intl.ListFormat('en').format(used)}. Change them first, or keep the ${used.length === 1 ? 'choice' : 'choices'}.`,
      })
  }
}

/** Names something that reads or fills a field; null if nothing does. */
async function findUse(db: Database, customerId: string, field: CustomField): Promise<string | null> {
  const word = `\\m${customFieldName(field)}\\M`
  const { rows } = await sql<{ noun: string; name: string }>`
    select noun, name from (
      select 'channel', name, columns::text from channels where customer_id = ${customerId}
      union all select 'provider mapping', name, mapping::text from provider_mappings where customer_id = ${customerId}
    ) u (noun, name, text) where text ~ ${word} order by noun, name limit 1`.execute(db)
  const [found] = rows
  return found === undefined
    ? null
    : `The ${found.noun} ${found.name} uses ${field.name}. Change it there first, or archive the field instead.`
}

async function countValues(db: Database, customerId: string, field: CustomField): Promise<number> {
  const { rows } = await sql<{ vehicles: number }>`select count(*)::int as vehicles from vehicles v
    where v.customer_id = ${customerId} and jsonb_exists(v.custom, ${customFieldName(field)})`.execute(db)
  return rows[0]?.vehicles ?? 0
}
