import { useSession } from '#web/session/use-session.ts'

/** The idle warning where people look; any activity takes it away. Announced once, not every second. */
export function IdleNotice() {
  const { secondsLeft } = useSession()
  return (
    <div role="alert">
      {secondsLeft !== null && (
        <p className="fc-idle">
          Nobody seems to be here, so you will be signed out. Move or press any key to stay.{' '}
          <span className="fc-number" aria-hidden="true">
            {secondsLeft} s
          </span>
        </p>
      )}
    </div>
  )
}
