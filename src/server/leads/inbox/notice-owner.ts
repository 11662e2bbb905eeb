import type { Database } from '#server/database/tenant-transaction.ts'

/** Has the owner of a lead emailed, or its manager that it is late, soon after this transaction. A notice of the same kind that is still to be sent is replaced. */
export async function noticeOwner(
  db: Database,
  lead: { id: string; organizationId: string },
  { userId, kind }: { userId: string; kind: 'assigned' | 'reply' | 'late' },
): Promise<void> {
  await db
    .insertInto('leadNotices')
    .values({ leadId: lead.id, organizationId: lead.organizationId, userId, kind })
    .onConflict((on) => on.columns(['customerId', 'leadId', 'kind']).doUpdateSet({ userId }))
    .execute()
}
