import type { CompiledQuery } from 'kysely'
import type { Member } from '#server/http/actor.ts'

/** What stands in a kept statement where a request puts its own: no text of a request can hold the first character. */
const CUSTOMER = '\u0000customer'
const OFFSET = '\u0000offset'
const NOBODYS = '\u0000nobody'
const MOST_KEPT = 500

type StatementRequest = { actor: Member; offset: number }

/**
 * Statements by their shape, so that putting one together, which takes longer than sending it, is done once. Everything
 * a statement knows of its caller but the customer must be part of the shape.
 */
export function keepStatements() {
  const kept = new Map<string, CompiledQuery>()
  return (
    shape: string,
    { actor, offset }: StatementRequest,
    build: (actor: Member, offset: number | string) => CompiledQuery,
  ): CompiledQuery => {
    const known = kept.get(shape) ?? build(anybody(actor), OFFSET)
    if (known.parameters.includes(NOBODYS)) throw new Error('A kept statement knows more than the customer.')
    kept.delete(shape)
    kept.set(shape, known)
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    const own: Readonly<Record<string, unknown>> = { [CUSTOMER]: actor.customerId, [OFFSET]: offset }
    const fill = (value: unknown) => (typeof value === 'string' && value in own ? own[value] : value)
    return { ...known, parameters: known.parameters.map(fill) }
  }
}

/** A caller of whom only the customer may be put into a statement. */
function anybody(actor: Member): Member {
  return {
    ...actor,
    sessionId: NOBODYS,
    userId: NOBODYS,
    userName: NOBODYS,
    fullName: NOBODYS,
    userCustomerId: NOBODYS,
    effectiveUserId: NOBODYS,
    effectiveUserName: NOBODYS,
    effectiveFullName: NOBODYS,
    effectiveCustomerId: NOBODYS,
    userTypeId: NOBODYS,
    customerId: CUSTOMER,
    organizationId: NOBODYS,
    organizationName: NOBODYS,
    permissionsVersion: NOBODYS,
  }
}
