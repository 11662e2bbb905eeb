import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { today } from '#contract/today.ts'
import { query } from '#web/api/query.ts'
import { useSession, useSessionOwner } from './use-session.ts'

/**
 * Today's date in the time zone of the current organization, as `yyyy-mm-dd`, by the server's clock. In the
 * browser's time zone until the organization is loaded.
 */
export function useToday(): string {
  const session = useSessionOwner()
  const { claims } = useSession()
  const id = claims?.organizationId ?? ''
  // The top bar has already loaded it.
  const { data } = useQuery({ ...query(organizations.get, { id }), enabled: id !== '' })
  const zone = data?.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  return today(zone, new Date(session.now))
}

/** Today's date in another time zone, by the server's clock. */
export function useTodayIn(zone: string): string {
  return today(zone, new Date(useSessionOwner().now))
}
