import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Claims, Token } from '#contract/identity/sessions/session.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { readClaims } from '#web/session/token.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { CodeStep } from './CodeStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import { returnTo } from './return-to.ts'
import './reauthenticate.css'

/** Above drawers and their questions. */
const ABOVE_ALL = 500

/**
 * Stands over a page with unsaved changes whose session was ended elsewhere: the same person signs in again, nothing
 * typed is lost, and what was refused is sent once more. It cannot be closed without saying how to go on.
 */
export function ReauthenticateDialog() {
  const { claims, isInterrupted } = useSession()
  if (!claims || !isInterrupted) return null
  return (
    <Modal
      opened
      onClose={() => {}}
      title="Sign in again"
      zIndex={ABOVE_ALL}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={MODAL_TRANSITION}
    >
      <Steps claims={claims} />
    </Modal>
  )
}

function Steps({ claims }: { claims: Claims }) {
  const session = useSessionOwner()
  const [waiting, setWaiting] = useState<Token | null>(null)

  async function accept(token: Token) {
    const { isVerified } = readClaims(token.accessToken)
    if (isVerified === 'false') setWaiting(token)
    else session.resume(await returnTo(claims, token))
  }

  return (
    <div className="fc-sign-in-over">
      <p>
        The session of <bdi>{claims.userName}</bdi> was ended elsewhere. What you typed is still here: sign in
        again to go on.
      </p>
      {waiting === null ? (
        <PasswordStep userName={claims.userName} onToken={accept} onLeave={session.expire} />
      ) : (
        <CodeStep bearer={waiting.accessToken} onToken={accept} onLeave={session.expire} />
      )}
    </div>
  )
}
