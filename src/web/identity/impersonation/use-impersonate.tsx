import type { Token } from '#contract/identity/sessions/session.ts'
import { HOME } from '#web/session/guard.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { ImpersonateForm } from './ImpersonateForm.tsx'

/**
 * Asks for the mode, then impersonates the user. Specification section 4: the new token is stored,
 * permissions are cleared and the page reloads, here at the dashboard.
 */
export function useImpersonate(): (user: { id: string; name: string }) => void {
  const session = useSessionOwner()
  async function start({ id, name }: { id: string; name: string }) {
    if (!(await mayLeave())) return
    const token = await askFor<Token>(`Impersonate ${name}`, (answer) => (
      <ImpersonateForm id={id} name={name} token={session.accessToken} onAnswer={answer} />
    ))
    if (token === null) return
    session.switchUser(token)
    // The impersonated user often has no access to the current page.
    window.history.pushState(null, '', HOME)
    window.location.reload()
  }
  return (user) => void start(user)
}
