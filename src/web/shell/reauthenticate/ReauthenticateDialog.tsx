import { useState } from 'react'
import type { Claims, Token } from '#contract/identity/sessions/session.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { readClaims } from '#web/session/token.ts'
import { AnswerDialog } from '#web/ui/overlay/AnswerDialog.tsx'
import { CodeStep } from './CodeStep.tsx'
import { PasswordStep } from './PasswordStep.tsx'
import './reauthenticate.css'
import { auth } from '#contract/identity/auth.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'

/** Above drawers and their dialogs. */
const TOP_Z_INDEX = 500

/**
 * Covers a page with unsaved changes after its session was ended elsewhere. The same user signs in again,
 * nothing typed is lost, and the rejected request is sent again. It can only be closed by signing in or
 * leaving.
 */
export function ReauthenticateDialog() {
  const { claims, isInterrupted } = useSession()
  if (!claims || !isInterrupted) return null
  return (
    <AnswerDialog title="Sign in again" zIndex={TOP_Z_INDEX} hasField>
      <Steps claims={claims} />
    </AnswerDialog>
  )
}

function Steps({ claims }: { claims: Claims }) {
  const session = useSessionOwner()
  const { endedBecause } = useSession()
  const [waiting, setWaiting] = useState<Token | null>(null)

  async function accept(token: Token) {
    const { isVerified } = readClaims(token.accessToken)
    if (isVerified === 'false') setWaiting(token)
    else session.resume(await returnTo(claims, token))
  }

  return (
    <div className="fc-reauthenticate">
      <p>
        The session of <bdi>{claims.userName}</bdi> was ended elsewhere. {endedBecause ?? 'Sign in again.'}{' '}
        Your changes are still here.
      </p>
      {waiting === null ? (
        <PasswordStep userName={claims.userName} onToken={accept} onLeave={session.expire} />
      ) : (
        <CodeStep bearer={waiting.accessToken} onToken={accept} onLeave={session.expire} />
      )}
    </div>
  )
}

/**
 * Switches the new session to the previous organization. Returns the given token if it is already there, or
 * if the user no longer has access to that organization.
 */
async function returnTo(before: Claims, token: Token): Promise<Token> {
  const { organizationId } = readClaims(token.accessToken)
  if (organizationId === before.organizationId) return token
  try {
    return await call(
      auth.changeOrganization,
      { organizationId: before.organizationId },
      { bearer: token.accessToken },
    )
  } catch (failure) {
    if (failure instanceof CallFailure && failure.status === 404) return token
    throw failure
  }
}
