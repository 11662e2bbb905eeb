import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'

/** @throws Failure 400 if the vehicle isn't one of the lead's organization. */
export async function requireVehicle(
  db: Database,
  { vehicleId, organizationId }: { vehicleId: string | null; organizationId: string },
): Promise<void> {
  if (vehicleId === null) return
  const found = await db
    .selectFrom('vehicles')
    .select('id')
    .where('id', '=', vehicleId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (found === undefined)
    throw refused('Some fields are invalid.', { vehicleId: 'Choose a vehicle of this store.' })
}
