import { can, Func, Opr } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'

/**
 * Email handlers and templates could expose every password link, so changing them requires customer reach and permission to
 * administer users. `what` is plural: "Email handlers".
 * @throws Failure 403
 */
export function requireMailAdministrator(actor: Member, what: string): void {
  const required = can(Func.users, Opr.administer)
  requireCustomerReach(actor, `${what} are managed`)
  if (!actor.may(required)) {
    throw forbidden(`${what} can expose password links. Changing them requires ${describe(required)}.`)
  }
}
