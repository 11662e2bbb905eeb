import type { Reopening } from '#contract/carbon/approvals/reopenings.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import { findUndeliverable, type Identity, type UserEmail, writeToUser } from '#server/identity/index.ts'

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
  const { customerId } = actor
  const { id, name, organizationId, organizationName, approverId, reviewerId, ownerId } = inventory
  const isOther = (userId: string | null): userId is string =>
    userId !== null && userId !== actor.userId && userId !== actor.effectiveUserId
  const wanted = isOther(approverId) ? [approverId] : [reviewerId, ownerId].filter(isOther)
  const undeliverable = await findUndeliverable(identity, {
    customerId,
    organizationId,
    userIds: wanted,
    needs: [can(Func.reportingPeriods, Opr.execute)],
  })
  const mails: UserEmail[] = []
  for (const userId of new Set(wanted.filter((one) => !undeliverable.has(one)))) {
    // Each is rendered in the template worker.
    // oxlint-disable-next-line no-await-in-loop
    const mail = await writeToUser(
      identity,
      { customerId, userId },
      {
        key: 'reopening-request',
        variables: {
          byName: actor.fullName,
          inventory: name,
          organization: organizationName,
          what: status === 'approved' ? 'unlock' : 'reopen',
          message: reason,
        },
        path: `/carbon/start?inventory=${id}`,
      },
    )
    if (mail !== null) mails.push(mail)
  }
  return mails
}
