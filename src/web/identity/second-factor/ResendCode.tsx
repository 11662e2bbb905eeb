import { useEffect, useState } from 'react'
import type { OtpSent } from '#contract/identity/second-factor/second-factor.ts'
import type { CallFailure } from '#web/api/failure.ts'

/** Emails take a moment to arrive, so don't offer another one before this. */
const WAIT_SECONDS = 30

type Props = {
  /** When the last email was requested, by the browser's clock, in milliseconds. */
  sentAt: number
  isSending: boolean
  sent: OtpSent | null
  failure: CallFailure | null
  onSend: () => void
}

/** Resends the code after a short wait. */
export function ResendCode({ sentAt, isSending, sent, failure, onSend }: Props) {
  const secondsLeft = useSecondsLeft(sentAt, sent?.waitSeconds ?? WAIT_SECONDS)
  const canSend = !isSending && secondsLeft === 0
  return (
    <div>
      <output className="fc-verify-status">
        {isSending && 'Sending the email…'}
        {!isSending && failure !== null && failure.message}
        {!isSending && failure === null && (sent?.failure ?? 'Email sent.')}
      </output>
      <button
        type="button"
        className="fc-link-button"
        aria-disabled={!canSend}
        onClick={() => (canSend ? onSend() : undefined)}
      >
        {labelOf(secondsLeft)}
      </button>
    </div>
  )
}

function labelOf(secondsLeft: number): string {
  if (secondsLeft >= 90) return `Resend in ${Math.ceil(secondsLeft / 60)} min`
  return secondsLeft > 0 ? `Resend in ${secondsLeft} s` : 'Resend code'
}

function useSecondsLeft(sentAt: number, waitSeconds: number): number {
  const [now, setNow] = useState(sentAt)
  useEffect(() => {
    const beat = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(beat)
  }, [])
  return Math.max(0, Math.ceil(waitSeconds - Math.max(0, now - sentAt) / 1000))
}
