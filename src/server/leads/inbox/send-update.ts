import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Sends a duplicate to the destinations that got its first lead, as an update of that, so that who works on it there knows that the
 * buyer asked again. Not to those to which a rule sends the duplicate itself.
 */
export async function sendUpdate(
  db: Database,
  { firstId, leadId }: { firstId: string; leadId: string },
): Promise<void> {
  await sql`
    insert into lead_deliveries (organization_id, lead_id, destination_id, destination_name, kind, is_update, update_lead_id)
    select l.organization_id, l.id, t.id, t.name, t.kind, true, ${leadId}
    from leads l join lead_destinations t on t.customer_id = l.customer_id and t.is_active
    where l.id = ${firstId} and t.id = any (array(select d.destination_id from lead_deliveries d
        where d.lead_id = ${firstId} and not d.is_test and d.state <> 'failed'))
      and not exists (select from lead_deliveries d where d.lead_id = ${leadId} and d.destination_id = t.id)
      and t.kind in ('adf', 'email', 'webhook')
    order by t.id`.execute(db)
}
