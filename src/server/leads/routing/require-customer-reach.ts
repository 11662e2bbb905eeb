import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'

/** Rules and destinations are those of the whole customer. @throws Failure 403 for users of one organization. */
export function requireCustomerReach({ reach }: Member): void {
  if (reach === 'customer') return
  throw forbidden('Lead routing is managed by users with access to the whole customer.')
}
