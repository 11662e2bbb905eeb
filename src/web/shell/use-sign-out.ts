import { useSessionOwner } from '#web/session/use-session.ts'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { saveAppearanceNow } from './save-appearance.ts'

/** Signing out by hand: asks over unsaved changes, and lets the last choice of looks reach the server. */
export function useSignOut(): () => void {
  const session = useSessionOwner()
  async function signOut() {
    if (!(await mayLeave())) return
    await saveAppearanceNow()
    await session.logout()
  }
  return () => void signOut()
}
