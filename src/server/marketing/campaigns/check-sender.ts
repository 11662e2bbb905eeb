import { sql } from 'kysely'
import type { Campaign, CampaignCheck } from '#contract/marketing/campaigns/campaigns.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { DnsResolver } from '#server/outside/dns-resolver.ts'
import { checkDomain } from './check-domain.ts'

/** Whose domain sends; null if nothing leaves the product. */
export async function readSender(
  db: Database,
  { handlerId }: Pick<Campaign, 'handlerId'>,
  { installationSender }: Readonly<{ installationSender: string | null }>,
): Promise<string | null> {
  const { rows } = await sql<{ kind: string; fromEmail: string }>`
    select kind, from_email from email_handlers where ${handlerId === null ? sql`is_default` : sql`id = ${handlerId}`}`.execute(
    db,
  )
  const [handler] = rows
  if (handler === undefined) return installationSender
  return handler.kind === 'outbox' ? null : handler.fromEmail
}

/** What is wrong with the domain of a sender; nothing for an email that stays in the product. */
export async function checkSender(sender: string | null, names: DnsResolver): Promise<CampaignCheck[]> {
  const [, domain = ''] = /@([^@>\s]+)>?\s*$/.exec(sender ?? '') ?? []
  return domain === '' ? [] : [await checkDomain(domain.toLowerCase(), names)]
}
