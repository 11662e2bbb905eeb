import { sql } from 'kysely'
import type { DeliveryContent } from '#contract/leads/deliveries/lead-deliveries.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { readDeliveredLead, sampleLead } from './delivered-lead.ts'
import { leadAdf } from './lead-adf.ts'
import { leadJson, leadSubject, leadText } from './lead-documents.ts'

/** What a delivery sends, made of the lead as it is now. @throws Failure 404 */
export async function readDeliveryContent(db: Database, id: string): Promise<DeliveryContent> {
  const { rows } = await sql<{
    leadId: string | null
    kind: 'adf' | 'email' | 'webhook'
    key: string
    to: string | null
    seller: string
  }>`
    select d.lead_id::text, d.kind, d.key, case when d.kind = 'webhook' then t.url else t.to_email end as to, c.name as seller
    from lead_deliveries d join customers c on c.id = d.customer_id
    left join lead_destinations t on t.customer_id = d.customer_id and t.id = d.destination_id
    where d.id = ${id}`.execute(db)
  const [delivery] = rows
  if (delivery === undefined) throw notFound('Delivery')
  const { leadId, kind, key, to, seller } = delivery
  const lead =
    leadId === null
      ? sampleLead(seller, clock.date().toISOString())
      : await readDeliveredLead(db, { id, leadId })
  if (kind === 'webhook') return { to, subject: null, format: 'application/json', body: leadJson(lead) }
  const subject = leadSubject(lead)
  return kind === 'adf'
    ? { to, subject, format: 'application/x-adf+xml', body: leadAdf(lead, key) }
    : { to, subject, format: 'text/plain', body: leadText(lead) }
}
