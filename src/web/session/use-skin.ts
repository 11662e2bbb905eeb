import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { LOOKING_ONLY, WHILE_LOOKING } from '#contract/identity/impersonation/read-only.ts'
import { query, queryClient } from '#web/api/query.ts'
import { useSession } from './use-session.ts'

/** Specification section 4: impersonating is when the two claims are not equal. */
export function useIsImpersonating(): boolean {
  const { claims } = useSession()
  return claims !== null && claims.userId !== claims.impersonateUserId
}

/** In somebody's skin: until when, and whether only to look. Null as oneself, and while it is not known yet. */
export function useImpersonation(): { endsAt: string; isLookOnly: boolean } | null {
  const isWorn = useIsImpersonating()
  const { data } = useQuery({ ...query(auth.me, {}), enabled: isWorn }, queryClient)
  return isWorn ? (data?.impersonation ?? null) : null
}

/** Why a call is not made while somebody only looks, as a sentence; null where it may be. */
export function useLookLock({ writes, path }: Endpoint): string | null {
  const isLookOnly = useImpersonation()?.isLookOnly === true
  return isLookOnly && writes && !WHILE_LOOKING.includes(path) ? LOOKING_ONLY : null
}
