import { createContext, use, useSyncExternalStore } from 'react'
import { holds, type Permission } from '#contract/permissions.ts'
import type { Session, SessionView } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

/** The session object, for calling its methods. */
export function useSessionOwner(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('This component is not inside a SessionContext.')
  return session
}

/** The current session state. The component rerenders when it changes. */
export function useSession(): SessionView {
  const session = useSessionOwner()
  return useSyncExternalStore(session.subscribe, session.view)
}

/** Whether the user has a permission; null until permissions are loaded. */
export function useHolds(): (permission: Permission) => boolean | null {
  const { permissions } = useSession()
  return (permission) => (permissions ? holds(permissions, permission) : null)
}
