import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { TestApp } from '#test/app.ts'
import type { Place } from '#test/factories/places.ts'

/** Works as the product does inside a customer, with the reach of all of it or of one organization. */
export function inTenantOf<T>(
  { appPool }: TestApp,
  { customerId, organizationId }: Place,
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
