import { createContext, use, useSyncExternalStore } from 'react'
import { holds, type Permission } from '#contract/permissions.ts'
import type { Session, SessionView } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

/** The session itself, for acting on it. */
export function useSessionOwner(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('No session stands above this component.')
  return session
}

/** The session as it stands; the component renders again when it changes. */
export function useSession(): SessionView {
  const session = useSessionOwner()
  return useSyncExternalStore(session.subscribe, session.view)
}

/** Whether the person holds a permission; null while that is not known yet. */
export function useHolds(): (wanted: Permission) => boolean | null {
  const { permissions } = useSession()
  return (wanted) => (permissions ? holds(permissions, wanted) : null)
}
