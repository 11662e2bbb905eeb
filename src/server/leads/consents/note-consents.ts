import { sql } from 'kysely'
import type { ContactChannel } from '#contract/leads/consents/consents.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** A consent as it was given, declined or revoked, for one or more channels. */
export type NewConsent = Readonly<{
  kind: 'given' | 'declined' | 'revoked'
  purpose: 'inquiry' | 'marketing' | 'privacy'
  channels: readonly ContactChannel[]
  /** The exact wording, or how it was revoked. */
  text: string
  textVersion?: number | null
  language?: string | null
  seller?: string | null
  pageUrl?: string | null
  at?: string
}>

/** Stores consents of a person. They are never changed: a later one of the same channel and purpose counts. */
export async function noteConsents(
  db: Database,
  of: { personId: string; organizationId: string; leadId: string | null },
  consents: readonly NewConsent[],
): Promise<void> {
  const rows = consents.flatMap(({ channels, at, ...consent }) =>
    channels.map((channel) => ({ ...of, ...consent, channel, at: at ?? sql<string>`app_now()` })),
  )
  if (rows.length > 0) await db.insertInto('consentEvents').values(rows).execute()
}

/** SQL: a consent event `e` is an opt-out that no later consent of the same channel and purpose has taken back. */
export const isStillRevoked = sql`e.kind = 'revoked' and not exists (select from consent_events later
  where later.customer_id = e.customer_id and later.person_id = any (array(select o.id from people me join people o
      on o.customer_id = me.customer_id and coalesce(o.merged_into_id, o.id) = coalesce(me.merged_into_id, me.id) where me.id = e.person_id)) and later.channel = e.channel
    and later.purpose = e.purpose and later.kind = 'given' and (later.at, later.id) > (e.at, e.id))`
