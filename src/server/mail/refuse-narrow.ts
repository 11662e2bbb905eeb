import { can, describe, Func, Opr } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'

/**
 * Whoever sets how mails leave or what they say could get at every link to a password: it takes the reach of the whole
 * customer, and the right to administer its people besides. `what` in the plural: "Email handlers".
 * @throws Failure 403
 */
export function requireMailAdministrator(actor: Member, what: string): void {
  const wanted = can(Func.users, Opr.administer)
  requireCustomerReach(actor, `${what} are kept`)
  if (!actor.may(wanted)) {
    throw forbidden(`${what} could be used to read links to passwords. It needs ${describe(wanted)}.`)
  }
}
