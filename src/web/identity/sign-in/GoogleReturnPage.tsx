import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { afterSignIn } from '#web/session/guard.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { FormAlert } from './FormAlert.tsx'
import { handleReturn } from './google-flow.ts'

/** Google redirects here. The token in the fragment is exchanged for a session, or an error is shown. */
export function GoogleReturnPage() {
  const session = useSessionOwner()
  const router = useRouter()
  const [message, setMessage] = useState<string | null>(null)
  const isHandled = useRef(false)
  useEffect(() => {
    if (isHandled.current) return
    isHandled.current = true
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
    <AuthLayout title="Sign in" about="Google sign-in didn't work.">
      <FormAlert message={message} />
      <p className="fc-sign-in-way">
        <Link to="/auth/signin" className="fc-sign-in-button">
          Back to sign in
        </Link>
      </p>
    </AuthLayout>
  )
}
