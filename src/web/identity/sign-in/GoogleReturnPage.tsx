import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { afterSignIn } from '#web/session/guard.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { FormAlert } from './FormAlert.tsx'
import { handleReturn } from './google-flow.ts'

/** Where Google sends people back to: the token behind `#` is exchanged for a session, or it says why not. */
export function GoogleReturnPage() {
  const session = useSessionOwner()
  const router = useRouter()
  const [message, setMessage] = useState<string | null>(null)
  const isTaken = useRef(false)
  useEffect(() => {
    if (isTaken.current) return
    isTaken.current = true
    const { hash, pathname } = window.location
    // The token must not stay in the history.
    window.history.replaceState(window.history.state, '', pathname)
    void handleReturn(hash).then(async (answer) => {
      if (answer.kind === 'failed') return setMessage(answer.message)
      session.begin(answer.token, { isRemember: false })
      const claims = readClaims(answer.token.accessToken)
      await router.navigate({ href: afterSignIn(claims, answer.next), replace: true })
    })
  }, [router, session])
  if (message === null) {
    return (
      <AuthLayout title="Sign in" about="One moment.">
        <Spinner label="Signing in" />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Sign in" about="That did not work.">
      <FormAlert message={message} />
      <p className="fc-sign-in-way">
        <Link to="/auth/signin" className="fc-sign-in-button">
          Back to sign in
        </Link>
      </p>
    </AuthLayout>
  )
}
