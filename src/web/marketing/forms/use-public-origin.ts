import { useQuery } from '@tanstack/react-query'
import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { query } from '#web/api/query.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { useHolds } from '#web/session/use-session.ts'

const PUBLIC_DOMAINS = {
  filter: 'purpose == "public" && state == "verified"',
  sort: 'domain',
  page: 1,
  pageSize: 1,
}

/**
 * The origin of the customer's public pages, with the scheme and port of this page. Null if there is no verified public
 * domain, or if the user may not read the domains.
 */
export function usePublicOrigin(): string | null {
  const holds = useHolds()
  const { data } = useQuery({
    ...query(whiteLabels.list, PUBLIC_DOMAINS),
    enabled: permissionsFor(whiteLabels.list.allow).some((permission) => holds(permission) === true),
    staleTime: 60_000,
  })
  const domain = data?.results[0]?.domain
  if (domain === undefined) return null
  const { protocol, port } = location
  return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`
}
