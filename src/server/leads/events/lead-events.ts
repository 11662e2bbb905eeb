import { sql } from 'kysely'
import type { LeadEventData, LeadEventKind } from '#contract/leads/inbox/lead-events.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** An event to note. `byName` is the user of the transaction unless it is given; null is the product. */
export type NewLeadEvent = Readonly<{
  kind: LeadEventKind
  data?: LeadEventData
  byName?: string | null
  at?: string
}>

/** Adds events to the timeline of a lead, in the given order. */
export async function noteLeadEvents(
  db: Database,
  lead: { id: string; organizationId: string },
  events: readonly NewLeadEvent[],
): Promise<void> {
  if (events.length === 0) return
  await db
    .insertInto('leadEvents')
    .values(
      events.map(({ kind, data = {}, byName, at }) => ({
        organizationId: lead.organizationId,
        leadId: lead.id,
        kind,
        data: JSON.stringify(data),
        at: at ?? sql<string>`app_now()`,
        byName:
          byName === undefined
            ? sql<string | null>`nullif(current_setting('app.actor_name', true), '')`
            : byName,
      })),
    )
    .execute()
}
