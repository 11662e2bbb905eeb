import type { Endpoint } from '#contract/endpoint.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from './permission-of.ts'

/** Whether the user may call an endpoint; true until the permissions are loaded. */
export function useMayCall({ allow }: Endpoint): boolean {
  const holds = useHolds()
  const wanted = permissionsFor(allow)
  return wanted.length === 0 || wanted.some((permission) => holds(permission) !== false)
}
