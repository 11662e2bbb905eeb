import { sql } from 'kysely'
import type { ValueMapping } from '#contract/inventory/values/value-mappings.ts'
import { noteUnmatchedDealers } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addValueMapping, noteUnmapped } from '#server/inventory/index.ts'

/** What feeds of a customer wrote and what it made of that. */
export type DemoValues = {
  mappings: readonly Pick<ValueMapping, 'field' | 'raw' | 'canonical'>[]
  /** `heldBy`: so many vehicles hold the value itself. `like`: the model of the vehicles whose VINs are its samples. */
  unmapped: readonly {
    field: 'transmission' | 'genericColour' | 'body' | 'make'
    raw: string
    rows: number
    heldBy?: number
    like?: string
  }[]
  /** A transmission that vehicles hold as their feed wrote it, though there is a word for it. */
  held: { raw: string; vehicles: number }
  dealers: readonly { dealerId: string; source: string; rows: number }[]
}

const RUN = 'demo'

/** The customer's data mappings, its queue, and dealer ids that no lot has. */
export async function addDemoValues(db: Database, customerId: string, given: DemoValues): Promise<void> {
  for (const mapping of given.mappings) await addValueMapping(db, mapping)
  // From behind, so that no two values take the same vehicles.
  let taken = await writeFrom(db, { customerId, column: 'transmission', ...given.held, after: '0' })
  const notes = []
  for (const { field, raw, rows, heldBy = 0, like } of given.unmapped) {
    if (field === 'transmission' || field === 'genericColour') {
      const column = field === 'transmission' ? 'transmission' : 'generic_colour'
      const vehicles = { customerId, column, raw, vehicles: heldBy, after: taken.last }
      taken = await writeFrom(db, vehicles)
      notes.push({ field, raw, rows, vins: taken.vins })
    } else notes.push({ field, raw, rows, vins: await vinsOf(db, customerId, like ?? '') })
  }
  const mapping = await db.selectFrom('providerMappings').select('id').orderBy('id').executeTakeFirst()
  await noteUnmapped(db, { run: RUN, providerMappingId: mapping?.id ?? null }, notes)
  for (const { source, ...dealer } of given.dealers)
    await noteUnmatchedDealers(db, { run: RUN, source }, [dealer])
}

type Written = { customerId: string; column: string; raw: string; vehicles: number; after: string }

async function writeFrom(db: Database, { customerId, column, raw, vehicles, after }: Written) {
  const { rows } = await sql<{ id: string; vin: string | null }>`
    update vehicles v set ${sql.ref(column)} = ${raw} from (
      select id from vehicles where customer_id = ${customerId} and id > ${after} and vin is not null
        and status in ('archived', 'sold') and cardinality(locked) = 0 order by id limit ${vehicles}) o
    where v.customer_id = ${customerId} and v.id = o.id returning v.id, v.vin`.execute(db)
  const ids = rows.map(({ id }) => Number(id))
  return {
    last: ids.length === 0 ? after : String(Math.max(...ids)),
    vins: rows.flatMap(({ vin }) => vin ?? []),
  }
}

async function vinsOf(db: Database, customerId: string, model: string): Promise<string[]> {
  const rows = await db
    .selectFrom('vehicles')
    .select('vin')
    .where('customerId', '=', customerId)
    .where('model', '=', model)
    .where('vin', 'is not', null)
    .orderBy('id')
    .limit(5)
    .execute()
  return rows.flatMap(({ vin }) => vin ?? [])
}
