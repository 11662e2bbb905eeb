import { inventoryReopenings } from '#contract/carbon/approvals/reopenings.ts'
import { inventoryApproval } from '#contract/carbon/inventories/approval.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import type { Caller, TestApp } from '#test/app.ts'

const STEPS = ['collecting', 'in_review', 'approved', 'locked'] as const

/** Approves an inventory with the total that the approver sees, although data may be missing. */
export async function approveInventory(approver: Caller, id: string) {
  const { location, market } = await approver.call(inventoryApproval.check, { inventory: id })
  const seen = { location, market }
  return approver.call(carbonInventories.setStatus, { id, status: 'approved', reason: 'As agreed', seen })
}

/** Takes a draft through the review: one user submits it, another one approves and locks it. */
export async function takeInventoryTo(
  { submitter, approver }: { submitter: Caller; approver: Caller },
  id: string,
  target: (typeof STEPS)[number],
): Promise<void> {
  for (const status of STEPS.slice(0, STEPS.indexOf(target) + 1)) {
    if (status === 'approved') await approveInventory(approver, id)
    else {
      const who = status === 'locked' ? approver : submitter
      await who.call(carbonInventories.setStatus, { id, status, reason: 'As agreed' })
    }
  }
}

/** Unlocks or reopens what two people approved: one asks for it, another one confirms it. */
export async function openWithTwo(
  { asks, confirms }: { asks: Caller; confirms: Caller },
  inventory: string,
  status: 'approved' | 'collecting',
) {
  const { id } = await asks.call(inventoryReopenings.request, {
    inventory,
    status,
    reason: 'A bill was wrong',
  })
  return confirms.call(inventoryReopenings.confirm, { id, reason: 'Seen on the bill' })
}

const COUNTRIES = [
  'AT',
  'BE',
  'CH',
  'CZ',
  'DE',
  'DK',
  'ES',
  'FI',
  'FR',
  'GR',
  'HU',
  'IE',
  'IT',
  'NL',
  'NO',
  'PL',
  'PT',
  'SE',
  'AU',
  'BG',
  'BR',
  'CL',
  'CY',
  'EE',
  'HR',
  'IN',
  'IS',
  'JP',
  'KR',
  'LT',
  'LU',
  'LV',
  'MT',
  'MX',
  'NZ',
  'RO',
  'SI',
  'SK',
]
let used = 0
/** A country whose grid factor no other test of the file has added. */
export function freshCountry(): string {
  const country = COUNTRIES[used]
  used += 1
  if (country === undefined) throw new Error('There are no more countries.')
  return country
}

/** A second person, who is a member of the organization of an inventory. */
export async function reviewerOf(forecourt: TestApp, organizationId: string): Promise<Caller> {
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `with added as (insert into memberships (customer_id, organization_id, user_id)
      select o.customer_id, o.id, u.id from organizations o join users u on u.customer_id = o.customer_id
      where o.id = $1 and u.user_name = 'northgate.sustain')
    select name from organizations where id = $1`,
    [organizationId],
  )
  return forecourt.as('northgate.sustain', rows[0]?.name ?? '')
}
