import type { Member } from './actor.ts'
import { forbidden } from './failure.ts'

/**
 * Holds what is the whole customer's against people of one rooftop; `what` begins the sentence: "Email handlers are kept".
 * @throws Failure 403
 */
export function requireCustomerReach(actor: Member, what: string): void {
  if (actor.reach !== 'customer') throw forbidden(`${what} by people who reach the whole customer.`)
}
