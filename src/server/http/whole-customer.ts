import type { Member } from './actor.ts'
import { forbidden } from './failure.ts'

/**
 * Rejects users whose reach is one organization. `what` begins the sentence: "Email handlers are managed".
 * @throws Failure 403
 */
export function requireCustomerReach(actor: Member, what: string): void {
  if (actor.reach !== 'customer') throw forbidden(`${what} by users with access to the whole customer.`)
}
