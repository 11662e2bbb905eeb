import type { Token } from '#contract/identity/sessions/session.ts'
import { HOME } from '#web/session/guard.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { mayLeave } from '#web/ui/form/unsaved.ts'
import { ImpersonateForm } from './ImpersonateForm.tsx'

/**
 * Asks how, and works as the person from then on. Specification section 4: the new token is stored, permissions are
 * cleared and the page is loaded anew, at the dashboard.
 */
export function useImpersonate(): (person: { id: string; name: string }) => void {
  const session = useSessionOwner()
  async function start({ id, name }: { id: string; name: string }) {
    if (!(await mayLeave())) return
    const token = await askFor<Token>(`Impersonate ${name}`, (answer) => (
      <ImpersonateForm id={id} name={name} token={session.accessToken} onAnswer={answer} />
    ))
    if (token === null) return
    session.switchPerson(token)
    // Where this was asked for, the person can hardly go.
    window.history.pushState(null, '', HOME)
    window.location.reload()
  }
  return (person) => void start(person)
}
