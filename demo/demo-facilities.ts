import { NewFacility } from '#contract/organizations/facilities/facilities.ts'
import { NewOrganization } from '#contract/organizations/profile/profiles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addFacility, changeProfile } from '#server/organizations/index.ts'
import type { DemoFacility, DemoProfile } from './demo-customer.ts'

type Demo = { name: string; profile?: DemoProfile; facilities?: readonly DemoFacility[] }

/** Adds the profile and facilities of an organization with the functions of the wizard. Lots are referenced by code. */
export async function addDemoFacilities(
  db: Database,
  organizationId: string,
  { name, profile, facilities = [] }: Demo,
  lots: ReadonlyMap<string, string>,
): Promise<void> {
  if (profile) {
    const {
      name: _name,
      logo: _logo,
      timeZone: _zone,
      ...filled
    } = NewOrganization.parse({ name, ...profile })
    await changeProfile(db, organizationId, filled)
  }
  const made = new Map<string, string>()
  for (const { within, lot, ...facility } of facilities) {
    const parsed = NewFacility.parse({
      ...facility,
      parentId: within === undefined ? null : made.get(within),
      lotId: lot === undefined ? null : lots.get(lot),
    })
    const added = await addFacility(db, { ...parsed, organizationId })
    made.set(added.code, added.id)
  }
}
