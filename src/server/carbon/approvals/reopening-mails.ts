import type { Reopening } from '#contract/carbon/approvals/reopenings.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import { type Identity, type UserEmail, writeToUsers } from '#server/identity/index.ts'

type About = {
  actor: Member
  inventory: Inventory
  status: Reopening['status']
  reason: string
}

/**
 * The emails that ask for a confirmation: to the approver, or else those who approved it, the reviewer and the owner: who may
 * confirm and didn't
 * ask. `approvedBy`: IDs of users.
 */
export async function composeReopeningMails(
  identity: Identity,
  { actor, inventory, status, reason, approvedBy }: About & { approvedBy: readonly (string | null)[] },
): Promise<UserEmail[]> {
  const { id, name, organizationId, organizationName, approverId, reviewerId, ownerId } = inventory
  const isOther = (userId: string | null): userId is string =>
    userId !== null && userId !== actor.userId && userId !== actor.effectiveUserId
  return writeToUsers(
    identity,
    {
      customerId: actor.customerId,
      organizationId,
      userIds: isOther(approverId) ? [approverId] : [...approvedBy, reviewerId, ownerId].filter(isOther),
      needs: [can(Func.reportingPeriods, Opr.execute)],
    },
    {
      key: 'reopening-request',
      variables: {
        byName: actor.fullName,
        name,
        organization: organizationName,
        what: whatOf({ status }),
        message: reason,
      },
      path: pathOf(id),
    },
  )
}

/** What an email about a request names, and the page that it leads to. */
export const subjectOf = ({ id, name, organizationName }: Inventory) => ({
  name,
  organization: organizationName,
  path: pathOf(id),
})
const pathOf = (id: string): string => `/carbon/start?inventory=${id}`

/** "unlock" or "reopen". */
export const whatOf = ({ status }: Pick<Reopening, 'status'>): string =>
  status === 'approved' ? 'unlock' : 'reopen'
