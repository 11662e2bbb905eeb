import { sql, type Kysely } from 'kysely'
import { INBOUND_KEEP_DAYS } from '#contract/leads/inbound/inbound-messages.ts'
import type { DB } from '#server/database/schema.ts'

/** Deletes texts that were received long ago and belong to no lead, with their messages, of all customers. */
export async function sweepInboundTexts(queue: Kysely<DB>): Promise<void> {
  await sql`delete from lead_sources s where s.received_at < app_now() - ${INBOUND_KEEP_DAYS} * interval '1 day'
    and not exists (select from leads l where l.customer_id = s.customer_id and l.source_id = s.id)
    and not exists (select from inbound_messages m join inbound_message_leads ml
      on ml.customer_id = m.customer_id and ml.message_id = m.id
      where m.customer_id = s.customer_id and m.source_id = s.id)`.execute(queue)
}
