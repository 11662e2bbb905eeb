import type { CompiledQuery } from 'kysely'
import type { Member } from '#server/http/actor.ts'

/** Placeholders in a cached statement for the values of a request. No request text can contain the first character. */
const CUSTOMER = '\u0000customer'
const OFFSET = '\u0000offset'
const UNAVAILABLE = '\u0000unavailable'
const MAX_CACHED = 500

type StatementRequest = { actor: Member; offset: number }

/**
 * Caches compiled statements by shape, because compiling takes longer than sending. Everything a statement depends on,
 * except the customer and the page offset, must be part of the shape.
 */
export function makeStatementCache() {
  const cache = new Map<string, CompiledQuery>()
  return (
    shape: string,
    { actor, offset }: StatementRequest,
    build: (actor: Member, offset: number | string) => CompiledQuery,
  ): CompiledQuery => {
    const known = cache.get(shape) ?? build(placeholderFor(actor), OFFSET)
    if (known.parameters.includes(UNAVAILABLE))
      throw new Error('A cached statement depends on more than the customer.')
    cache.delete(shape)
    cache.set(shape, known)
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? '')
    const own: Readonly<Record<string, unknown>> = { [CUSTOMER]: actor.customerId, [OFFSET]: offset }
    const fill = (value: unknown) => (typeof value === 'string' && value in own ? own[value] : value)
    return { ...known, parameters: known.parameters.map(fill) }
  }
}

/** A placeholder caller with only the customer available to the statement. */
function placeholderFor(actor: Member): Member {
  return {
    ...actor,
    sessionId: UNAVAILABLE,
    userId: UNAVAILABLE,
    userName: UNAVAILABLE,
    fullName: UNAVAILABLE,
    userCustomerId: UNAVAILABLE,
    effectiveUserId: UNAVAILABLE,
    effectiveUserName: UNAVAILABLE,
    effectiveFullName: UNAVAILABLE,
    effectiveCustomerId: UNAVAILABLE,
    userTypeId: UNAVAILABLE,
    customerId: CUSTOMER,
    organizationId: UNAVAILABLE,
    organizationName: UNAVAILABLE,
    permissionsVersion: UNAVAILABLE,
  }
}
