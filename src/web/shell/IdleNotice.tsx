import { useSession } from '#web/session/use-session.ts'

/** The idle warning; any activity dismisses it. Announced once, not every second. */
export function IdleNotice() {
  const { secondsLeft } = useSession()
  return (
    <div role="alert">
      {secondsLeft !== null && (
        <p className="fc-idle">
          You'll be signed out soon because you've been inactive. Move the mouse or press any key to stay
          signed in.{' '}
          <span className="fc-number" aria-hidden="true">
            {secondsLeft} s
          </span>
        </p>
      )}
    </div>
  )
}
