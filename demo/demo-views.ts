import type { ViewState } from '#contract/lists/views.ts'
import { STOCK_RULES } from '#contract/vehicles/vehicles/stock-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { insertView } from '#server/lists/views-write.ts'

/** Views that the users of a rooftop check every morning. */
const SHARED: readonly { list: string; name: string; state: ViewState }[] = [
  {
    list: 'vehicles',
    name: 'Not for sale',
    state: { filter: STOCK_RULES.notForSale, sort: '-daysInStock' },
  },
  {
    list: 'vehicles',
    name: 'New arrivals',
    state: { filter: 'condition == "new" && inStockOn >= daysAgo(14)', sort: '-inStockOn' },
  },
  {
    list: 'vehicles',
    name: 'Used, aging',
    state: {
      filter: 'condition in ["used", "cpo"] && daysInStock > 60',
      sort: '-daysInStock',
      columns: ['name', 'stock', 'daysInStock', 'price', 'mileage', 'lotId', 'status'],
    },
  },
  { list: 'lots', name: 'Not on public pages', state: { filter: 'isPublic == false' } },
  { list: 'users', name: 'Invited, not signed in yet', state: { filter: 'state == "invited"' } },
]

/** Saves the shared views of a rooftop as one of its users. */
export async function addDemoViews(
  db: Database,
  { organizationId, owner }: { organizationId: string; owner: { userId: string; name: string } },
): Promise<void> {
  for (const view of SHARED) {
    await insertView(db, {
      ...view,
      scope: 'organization',
      organizationId,
      userTypeId: null,
      ownerUserId: owner.userId,
      ownerName: owner.name,
    })
  }
}
