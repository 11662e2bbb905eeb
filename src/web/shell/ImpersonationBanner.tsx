import { IconEye } from '@tabler/icons-react'
import { useSession } from '#web/session/use-session.ts'

/** Says in whose skin a person acts; nothing at all while they act as themselves. */
export function ImpersonationBanner() {
  const { claims } = useSession()
  if (!claims || claims.userId === claims.impersonateUserId) return null
  return <ImpersonationStrip {...claims} />
}

type Props = {
  userName: string
  impersonateUserName: string
  /** Absent while the end is not known. */
  minutesLeft?: number
  /** Switches back; the whole strip is the button then. */
  onRevert?: () => void
}

/** Specification section 2, to the letter: '{userName}, You are Impersonating {impersonateUserName}'. */
export function ImpersonationStrip({ userName, impersonateUserName, minutesLeft, onRevert }: Props) {
  const content = (
    <>
      <IconEye size={16} stroke={1.6} aria-hidden="true" />
      <span>
        <bdi>{userName}</bdi>, You are Impersonating <bdi>{impersonateUserName}</bdi>
      </span>
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
