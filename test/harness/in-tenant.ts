import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { TestApp } from '#test/app.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** Runs work in a tenant transaction, with the reach of the whole customer or of one organization. */
export function inTenantOf<T>(
  { appPool }: TestApp,
  { customerId, organizationId }: TestOrganization,
  work: (db: Database) => Promise<T>,
  reach: 'customer' | 'organization' = 'customer',
): Promise<T> {
  const scope = {
    customerId,
    organizationId,
    reach,
    actorUserId: null,
    actorName: null,
    effectiveUserId: null,
    effectiveName: null,
    endpoint: 'test',
    isReadOnly: false,
  }
  return inTenant(appPool, scope, work)
}
