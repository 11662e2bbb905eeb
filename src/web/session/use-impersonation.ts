import { useQuery } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { auth } from '#contract/identity/auth.ts'
import { VIEW_ONLY_EXPORT_REFUSAL, viewOnlyRefusal } from '#contract/identity/impersonation/read-only.ts'
import { query, queryClient } from '#web/api/query.ts'
import { useSession } from './use-session.ts'

/** Specification section 4: impersonating is when the two claims are not equal. */
export function useIsImpersonating(): boolean {
  const { claims } = useSession()
  return claims !== null && claims.userId !== claims.impersonateUserId
}

/** The current impersonation. Null when not impersonating or not loaded yet. */
export function useImpersonation(): { endsAt: string; isViewOnly: boolean } | null {
  const isImpersonating = useIsImpersonating()
  const { data } = useQuery({ ...query(auth.me, {}), enabled: isImpersonating }, queryClient)
  return isImpersonating ? (data?.impersonation ?? null) : null
}

/** Why view-only impersonation blocks a call, as a sentence; null if it doesn't. */
export function useViewOnlyLock(endpoint: Endpoint): string | null {
  return useImpersonation()?.isViewOnly === true ? viewOnlyRefusal(endpoint) : null
}

/** Why view-only impersonation blocks exports of lists, as a sentence; null if it doesn't. */
export function useViewOnlyExportLock(): string | null {
  return useImpersonation()?.isViewOnly === true ? VIEW_ONLY_EXPORT_REFUSAL : null
}
