import { can, Func, Opr } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'

const READS_LEADS = can(Func.leads, Opr.read)

/** Whether a user may read who the buyers of leads are, and what they wrote. */
export const readsBuyers = (actor: Pick<Member, 'may'>): boolean => actor.may(READS_LEADS)

/** @throws Failure 403 */
export function requireBuyers(actor: Pick<Member, 'may'>): void {
  if (!readsBuyers(actor)) throw forbidden("You don't have permission to read leads.")
}
