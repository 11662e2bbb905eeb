import { sql } from 'kysely'
import { CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, refused } from '#server/http/failure.ts'

/** The customer's own fields of vehicles, in their order. */
export async function readCustomFields(db: Database, customerId: string): Promise<CustomField[]> {
  const row = await db
    .selectFrom('customers')
    .select('customFields')
    .where('id', '=', customerId)
    .executeTakeFirst()
  return CustomField.array().parse(row?.customFields ?? [])
}

/**
 * What is kept by a field must find it again: its kind stays, and it goes only while no vehicle has a value of it.
 * @throws Failure 400 on the kind, 409 naming the field and how many vehicles have it.
 */
export async function refuseLostFields(
  db: Database,
  customerId: string,
  wanted: readonly CustomField[],
): Promise<void> {
  // Two who save at once: the second is measured against what the first made.
  await sql`select from customers where id = ${customerId} for update`.execute(db)
  const before = await readCustomFields(db, customerId)
  const turned = wanted.findIndex(({ key, kind }) =>
    before.some((one) => one.key === key && one.kind !== kind),
  )
  if (turned >= 0) {
    throw refused('Some fields are not right.', {
      [`customFields.${turned}.kind`]: 'The kind of a field stays. Archive it and add another.',
    })
  }
  for (const field of before.filter(({ key }) => wanted.every((one) => one.key !== key))) {
    const vehicles = await countValues(db, customerId, field)
    if (vehicles === 0) continue
    const sentence = `${field.name} has values on ${vehicles.toLocaleString('en')} ${vehicles === 1 ? 'vehicle' : 'vehicles'}. Archive it instead: its values stay, and nothing offers it any more.`
    throw conflict(sentence, { customFields: sentence })
  }
}

async function countValues(db: Database, customerId: string, field: CustomField): Promise<number> {
  const { rows } = await sql<{ vehicles: number }>`select count(*)::int as vehicles from vehicles v
    where v.customer_id = ${customerId} and jsonb_exists(v.custom, ${customFieldName(field)})`.execute(db)
  return rows[0]?.vehicles ?? 0
}
