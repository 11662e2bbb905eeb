import type { Reopening } from '#contract/carbon/approvals/reopenings.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import { type Identity, type UserEmail, writeToActor, writeToUsers } from '#server/identity/index.ts'
import type { StoredReopening } from '#server/snapshots/reopenings.ts'

type About = {
  actor: Member
  inventory: Inventory
  status: Reopening['status']
  reason: string
}

/**
 * The emails that ask for a confirmation: to the approver, or else the reviewer and the owner: those who may confirm and didn't
 * ask.
 */
export async function composeReopeningMails(
  identity: Identity,
  { actor, inventory, status, reason }: About,
): Promise<UserEmail[]> {
  const { id, name, organizationId, organizationName, approverId, reviewerId, ownerId } = inventory
  const isOther = (userId: string | null): userId is string =>
    userId !== null && userId !== actor.userId && userId !== actor.effectiveUserId
  return writeToUsers(
    identity,
    {
      customerId: actor.customerId,
      organizationId,
      userIds: isOther(approverId) ? [approverId] : [reviewerId, ownerId].filter(isOther),
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
      path: `/carbon/start?inventory=${id}`,
    },
  )
}

const whatOf = ({ status }: Pick<Reopening, 'status'>): string =>
  status === 'approved' ? 'unlock' : 'reopen'

/** The email about a decision, to the person who asked. */
export async function composeDecisionMail(
  identity: Identity,
  {
    actor,
    inventory: { id, name, organizationName },
    reopening,
    decision,
    reason,
  }: Pick<About, 'actor' | 'inventory' | 'reason'> & {
    reopening: StoredReopening & Pick<Reopening, 'status'>
    decision: string
  },
): Promise<UserEmail[]> {
  const userIds = [reopening.requesterId, reopening.effectiveRequesterId]
  return writeToActor(
    identity,
    { customerId: actor.customerId, userIds },
    {
      key: 'reopening-decision',
      variables: {
        byName: actor.fullName,
        name,
        organization: organizationName,
        what: whatOf(reopening),
        decision,
        message: reason,
      },
      path: `/carbon/start?inventory=${id}`,
    },
  )
}
