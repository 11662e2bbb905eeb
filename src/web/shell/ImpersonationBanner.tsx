import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { useIsImpersonating, useImpersonation } from '#web/session/use-impersonation.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { mayLeave } from '#web/ui/form/unsaved.ts'

const TICK_MS = 10_000

/** Shows who is being impersonated and switches back; renders nothing otherwise. */
export function ImpersonationBanner() {
  const { claims } = useSession()
  const isImpersonating = useIsImpersonating()
  const current = useImpersonation()
  const minutesLeft = useMinutesLeft(current?.endsAt ?? null)
  const revert = useRevert()
  if (!claims || !isImpersonating) return null
  return (
    <ImpersonationStrip
      {...claims}
      isViewOnly={current?.isViewOnly === true}
      onRevert={revert}
      {...(minutesLeft !== null && { minutesLeft })}
    />
  )
}

/** Specification section 4: reverts, stores the token, clears the permissions and reloads the page. */
function useRevert(): () => void {
  const session = useSessionOwner()
  async function revert() {
    if (!(await mayLeave())) return
    try {
      session.switchUser(await call(impersonation.impersonate, { userId: null, token: session.accessToken }))
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      showError(error)
      return
    }
    window.location.reload()
  }
  return () => void revert()
}

/** Remaining whole minutes by the server's clock; at the end, the session requests its own token again. */
function useMinutesLeft(endsAt: string | null): number | null {
  const session = useSessionOwner()
  const [now, setNow] = useState(() => session.now)
  useEffect(() => {
    if (endsAt === null) return undefined
    const beat = setInterval(() => {
      setNow(session.now)
      if (session.now > Date.parse(endsAt)) session.refreshNow()
    }, TICK_MS)
    return () => clearInterval(beat)
  }, [session, endsAt])
  if (endsAt === null) return null
  return Math.max(0, Math.ceil((Date.parse(endsAt) - now) / 60_000))
}

type Props = {
  userName: string
  impersonateUserName: string
  isViewOnly?: boolean
  /** Absent until the end is known. */
  minutesLeft?: number
  /** Switches back; the whole banner is a button if present. */
  onRevert?: () => void
}

/** Specification section 2, verbatim: '{userName}, You are Impersonating {impersonateUserName}'. */
export function ImpersonationStrip(props: Props) {
  const { userName, impersonateUserName, isViewOnly = false, minutesLeft, onRevert } = props
  const content = (
    <>
      <IconEye size={16} stroke={1.6} aria-hidden="true" />
      <span>
        <bdi>{userName}</bdi>, You are Impersonating <bdi>{impersonateUserName}</bdi>
      </span>
      {isViewOnly && <span>View only</span>}
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
