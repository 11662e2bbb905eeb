import { readsBuyers } from '#contract/leads/people/reads-buyers.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'

/** @throws Failure 403 */
export function requireBuyers(actor: Pick<Member, 'may'>): void {
  if (!readsBuyers(actor)) throw forbidden("You don't have permission to read leads.")
}
