import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { today } from '#contract/today.ts'
import { query } from '#web/api/query.ts'
import { useSession, useSessionOwner } from './use-session.ts'

/**
 * The date where the organization is that somebody acts in, as `yyyy-mm-dd` and by the server's clock. Until the
 * organization is there, where its reader is.
 */
export function useToday(): string {
  const session = useSessionOwner()
  const { claims } = useSession()
  const id = claims?.organizationId ?? ''
  // The top bar has asked for it already.
  const { data } = useQuery({ ...query(organizations.get, { id }), enabled: id !== '' })
  const zone = data?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  return today(zone, new Date(session.now))
}

/** The date in another time zone, by the server's clock. */
export function useTodayIn(zone: string): string {
  return today(zone, new Date(useSessionOwner().now))
}
