import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { findSourceType } from '#contract/carbon/inventories/source-types.ts'
import { attachEvidence } from '#server/carbon/index.ts'
import { actAs, type AsOwner, type Database } from '#server/database/tenant-transaction.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { drawBill } from './demo-bill-pdf.ts'

/** Number of bills per current inventory that get a document, newest first. */
const BILLS = 12

type Bill = {
  customerId: string
  organizationId: string
  recordId: string
  reference: string
  sourceType: string
  facilityName: string
  periodStart: string
  periodEnd: string
  quantity: string
  unit: string
  submitterId: string
  submitterName: string
}

/** Attaches bills to some records of the current inventories. Called once, right after the demo data is created. */
export async function addDemoEvidence(asOwner: AsOwner, storage: FileStorage): Promise<void> {
  for (const bill of await asOwner(readBills)) await addBill(asOwner, storage, bill)
}

async function readBills(db: Database): Promise<Bill[]> {
  const { rows } = await sql<Bill>`
    select * from (
      select r.customer_id::text, r.organization_id::text, r.id::text as record_id, r.reference, s.source_type,
        f.name as facility_name, r.period_start::text, r.period_end::text, trim_scale(r.quantity)::text as quantity, r.unit,
        u.id::text as submitter_id, u.first_name || ' ' || u.last_name as submitter_name,
        row_number() over (partition by s.inventory_id order by r.period_end desc, r.id) as place
      from activity_records r
      join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
      join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id and i.status = 'collecting'
      join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
      join users u on u.customer_id = s.customer_id and u.id = s.data_owner_id
      where r.replaced_at is null and r.reference is not null and s.source_type in ('electricity', 'natural_gas')
    ) found where place <= ${BILLS} order by record_id::bigint`.execute(db)
  return rows
}

async function addBill(asOwner: AsOwner, storage: FileStorage, bill: Bill): Promise<void> {
  const { customerId, organizationId, recordId, reference, submitterId, submitterName } = bill
  const scope = {
    customerId,
    organizationId,
    reach: 'organization',
    actorUserId: submitterId,
    actorName: submitterName,
    effectiveUserId: submitterId,
    effectiveName: null,
    endpoint: 'evidence.add',
    isReadOnly: false,
  } as const
  const name = `${reference}.pdf`
  const bytes = drawBill([
    `Bill ${reference}`,
    bill.facilityName,
    findSourceType(bill.sourceType)?.title ?? bill.sourceType,
    `${bill.periodStart} to ${bill.periodEnd}`,
    `${bill.quantity} ${bill.unit}`,
    'Sample bill. No payment is due.',
  ])
  async function* files() {
    yield { name, type: 'application/pdf', stream: Readable.from([bytes]) }
  }
  const within = <T>(work: (db: Database) => Promise<T>) =>
    asOwner(async (db) => {
      await actAs(db, scope)
      return work(db)
    })
  const sent = { files: files(), admit: () => {}, next: () => {} }
  await attachEvidence(storage, within, { customerId, recordId, sent })
}
