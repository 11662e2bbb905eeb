import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { useIsImpersonating, useImpersonation } from '#web/session/use-skin.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { mayLeave } from '#web/ui/form/unsaved.ts'

const TICK_MS = 10_000

/** Says in whose skin a person acts and switches back; nothing at all while they act as themselves. */
export function ImpersonationBanner() {
  const { claims } = useSession()
  const isImpersonating = useIsImpersonating()
  const skin = useImpersonation()
  const minutesLeft = useMinutesLeft(skin?.endsAt ?? null)
  const revert = useRevert()
  if (!claims || !isImpersonating) return null
  return (
    <ImpersonationStrip
      {...claims}
      isLookOnly={skin?.isLookOnly === true}
      onRevert={revert}
      {...(minutesLeft !== null && { minutesLeft })}
    />
  )
}

/** Specification section 4: reverts, stores the token, clears the permissions and loads the page anew. */
function useRevert(): () => void {
  const session = useSessionOwner()
  async function revert() {
    if (!(await mayLeave())) return
    try {
      session.switchPerson(
        await call(impersonation.impersonate, { userId: null, token: session.accessToken }),
      )
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      showError(error)
      return
    }
    window.location.reload()
  }
  return () => void revert()
}

/** Whole minutes until then by the server's clock; at the end the session is asked for its own token again. */
function useMinutesLeft(endsAt: string | null): number | null {
  const session = useSessionOwner()
  const [now, setNow] = useState(() => session.now)
  useEffect(() => {
    if (endsAt === null) return undefined
    const beat = setInterval(() => {
      setNow(session.now)
      if (session.now > Date.parse(endsAt)) session.takeNewest()
    }, TICK_MS)
    return () => clearInterval(beat)
  }, [session, endsAt])
  if (endsAt === null) return null
  return Math.max(0, Math.ceil((Date.parse(endsAt) - now) / 60_000))
}

type Props = {
  userName: string
  impersonateUserName: string
  isLookOnly?: boolean
  /** Absent while the end is not known. */
  minutesLeft?: number
  /** Switches back; the whole strip is the button then. */
  onRevert?: () => void
}

/** Specification section 2, to the letter: '{userName}, You are Impersonating {impersonateUserName}'. */
export function ImpersonationStrip(props: Props) {
  const { userName, impersonateUserName, isLookOnly = false, minutesLeft, onRevert } = props
  const content = (
    <>
      <IconEye size={16} stroke={1.6} aria-hidden="true" />
      <span>
        <bdi>{userName}</bdi>, You are Impersonating <bdi>{impersonateUserName}</bdi>
      </span>
      {isLookOnly && <span>Looking only</span>}
      {minutesLeft !== undefined && <span className="fc-number">{minutesLeft} min left</span>}
      {onRevert && <u>Switch back</u>}
    </>
  )
  if (!onRevert) {
    return <output className="fc-impersonation">{content}</output>
  }
  return (
    <button type="button" className="fc-impersonation" onClick={onRevert}>
      {content}
    </button>
  )
}
