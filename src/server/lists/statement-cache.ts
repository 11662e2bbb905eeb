import type { CompiledQuery } from 'kysely'
import type { Permission } from '#contract/permissions.ts'
import type { Member } from '#server/http/actor.ts'

/** Placeholders in a cached statement for the values of a request. No request text can contain the first character. */
const CUSTOMER = '\u0000customer'
const OFFSET = '\u0000offset'
const UNAVAILABLE = '\u0000unavailable'
const MAX_CACHED = 500
/** Statements of one shape, for users with other permissions. */
const MAX_VARIANTS = 16

/** A statement, and the permissions that building it asked for, with their answers. */
type Cached = { query: CompiledQuery; asked: { permission: Permission; answer: boolean }[] }
type StatementRequest = { actor: Member; offset: number }

/**
 * Caches compiled statements by shape, because compiling takes longer than sending. Everything a statement depends on,
 * except the customer, the page offset and permissions, must be part of the shape. A statement is only used for users to whom
 * every permission that was asked for while it was built has the same answer.
 */
export function makeStatementCache() {
  const cache = new Map<string, readonly Cached[]>()
  return (
    shape: string,
    { actor, offset }: StatementRequest,
    build: (actor: Member, offset: number | string) => CompiledQuery,
  ): CompiledQuery => {
    const variants = cache.get(shape) ?? []
    const known =
      variants.find(({ asked }) =>
        asked.every(({ permission, answer }) => actor.may(permission) === answer),
      ) ?? compile(actor, build)
    cache.delete(shape)
    cache.set(shape, [...variants.filter((other) => other !== known), known].slice(-MAX_VARIANTS))
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? '')
    const own: Readonly<Record<string, unknown>> = { [CUSTOMER]: actor.customerId, [OFFSET]: offset }
    const fill = (value: unknown) => (typeof value === 'string' && value in own ? own[value] : value)
    return { ...known.query, parameters: known.query.parameters.map(fill) }
  }
}

function compile(actor: Member, build: (actor: Member, offset: string) => CompiledQuery): Cached {
  const asked: Cached['asked'] = []
  const may = (permission: Permission) => {
    const answer = actor.may(permission)
    asked.push({ permission, answer })
    return answer
  }
  const query = build({ ...placeholderFor(actor), may }, OFFSET)
  if (query.parameters.includes(UNAVAILABLE))
    throw new Error('A cached statement depends on more than the customer.')
  return { query, asked }
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
    permissions: { isSuper: false, permissions: [] },
    impersonation: null,
  }
}
