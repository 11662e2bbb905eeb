import { sql } from 'kysely'
import { findStore, type Store, type StoreClues } from '#contract/leads/inbound/find-store.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { isOpenOrganization } from '#server/organizations/index.ts'
import type { NewLead } from '../inbox/receive-lead.ts'
import { vinInMessage, withVin } from '../inbox/vin-of-lead.ts'
import { copySource } from '../inbox/send-to-store.ts'

type GroupAddress = Readonly<{
  customerId: string
  organizationId: string
  lotId: string | null
  isGroup: boolean
}>

/** Where a lead belongs. `needsStore`: a person has to choose. */
export type StoreOfLead = Required<Pick<NewLead, 'organizationId' | 'lotId' | 'needsStore' | 'storeEvidence'>>

/**
 * The store of a lead: that of its address, or for the address of a group the one that the lead itself says. A lead whose store
 * isn't found belongs to the organization of the address until a person chooses one.
 */
export async function storeOfLead(
  db: Database,
  address: GroupAddress,
  lead: Pick<NewLead, 'document' | 'askedVehicle' | 'tradeIn' | 'comments' | 'person'> & {
    subject?: string | null
  },
): Promise<StoreOfLead> {
  const { document, person } = lead
  const { organizationId, lotId, isGroup } = address
  if (!isGroup) return { organizationId, lotId, needsStore: false, storeEvidence: null }
  const askedVehicle = { ...lead.askedVehicle }
  askedVehicle.vin ??= vinInMessage(lead)
  const { vin = null, stock = null, make = null } = withVin(askedVehicle)
  const vendor = document?.vendor ?? null
  const stores = await readStores(db, address.customerId)
  const evidence = findStore(
    {
      vendorName: vendor?.name ?? null,
      vendorIds: vendor?.ids.map(({ value }) => value) ?? [],
      ...(await readStock(db, address.customerId, { vin, stock })),
      subject: lead.subject ?? null,
      make,
      postalCode: person.postalCode ?? null,
    },
    stores,
  )
  const store = stores.find(({ id }) => id === evidence.found?.lotId)
  return store === undefined
    ? { organizationId, lotId: null, needsStore: true, storeEvidence: evidence }
    : { organizationId: store.organizationId, lotId: store.id, needsStore: false, storeEvidence: evidence }
}

/** The lots of the customer whose organizations aren't archived. */
async function readStores(db: Database, customerId: string): Promise<Store[]> {
  const { rows } = await sql<Store>`
    select l.id::text, l.name, l.organization_id::text, l.dealer_ids, l.makes, l.type = 'service' as is_service,
      coalesce(s.vendor_names, '{}') || case when (select count(*) from lots other where other.customer_id = l.customer_id
        and other.organization_id = l.organization_id and other.type <> 'service') = 1 and l.type <> 'service' then array[o.name] else '{}' end as vendor_names,
      coalesce(s.dealer_codes, '{}') || l.code as dealer_codes, coalesce(s.postal_codes, '{}') as postal_codes
    from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id
    left join lot_lead_settings s on s.customer_id = l.customer_id and s.lot_id = l.id
    where l.customer_id = ${customerId} and ${isOpenOrganization({
      customerId: sql.ref('l.customer_id'),
      organizationId: sql.ref('l.organization_id'),
    })} order by l.id`.execute(db)
  return rows
}

/** The stores that have a vehicle with this VIN, and those with this stock number. */
async function readStock(
  db: Database,
  customerId: string,
  { vin, stock }: { vin: string | null; stock: string | null },
): Promise<Pick<StoreClues, 'vin' | 'stock'>> {
  if (vin === null && stock === null) return { vin: null, stock: null }
  const at = (is: ReturnType<typeof sql>) =>
    sql`array(select distinct v.lot_id::text from vehicles v where v.customer_id = ${customerId} and v.status not in ('sold', 'archived', 'wholesale', 'removed') and ${is})`
  const { rows } = await sql<{ vin: string[]; stock: string[] }>`
    select ${at(sql`v.vin = upper(${vin})`)} as vin, ${at(sql`v.stock_key = lower(${stock})`)} as stock`.execute(
    db,
  )
  const [found] = rows
  return {
    vin: vin === null ? null : { value: vin, storeIds: found?.vin ?? [] },
    stock: stock === null ? null : { value: stock, storeIds: found?.stock ?? [] },
  }
}

/**
 * The text of a lead that belongs to another organization than its address: a copy, which that store can read. A text with leads
 * of several buyers is not copied, because a store must not see those of another one.
 */
export async function sourceForStore(
  db: Database,
  { sourceId, from, to, isAlone }: { sourceId: string; from: string; to: string; isAlone: boolean },
): Promise<string | null> {
  if (from === to) return sourceId
  return isAlone ? copySource(db, sourceId, to) : null
}
