import { useSessionOwner } from '#web/session/use-session.ts'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { saveAppearanceNow } from './save-appearance.ts'

/** Signs out: asks about unsaved changes, and saves the latest appearance. */
export function useSignOut(): () => void {
  const session = useSessionOwner()
  async function signOut() {
    if (!(await mayLeave())) return
    await saveAppearanceNow()
    await session.logout()
  }
  return () => void signOut()
}
