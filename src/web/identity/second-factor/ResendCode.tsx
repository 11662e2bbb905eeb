import { useEffect, useState } from 'react'
import type { OtpSent } from '#contract/identity/second-factor/second-factor.ts'
import type { CallFailure } from '#web/api/failure.ts'

/** A mail takes a little: before this it is too early to ask for another one. */
const WAIT_SECONDS = 30

type Props = {
  /** When the last mail was asked for, by this browser's clock, in milliseconds. */
  sentAt: number
  isSending: boolean
  sent: OtpSent | null
  failure: CallFailure | null
  onSend: () => void
}

/** Mails the code once more, after a while. */
export function ResendCode({ sentAt, isSending, sent, failure, onSend }: Props) {
  const secondsLeft = useSecondsLeft(sentAt)
  const isOver = sent?.sendsLeft === 0
  const canSend = !isSending && !isOver && secondsLeft === 0
  return (
    <div>
      <output className="fc-verify-said">
        {isSending && 'Sending the mail…'}
        {!isSending && failure !== null && failure.message}
        {!isSending && failure === null && 'The mail is on its way.'}
      </output>
      <button
        type="button"
        className="fc-link-button"
        aria-disabled={!canSend}
        onClick={() => (canSend ? onSend() : undefined)}
      >
        {labelOf({ isOver, secondsLeft })}
      </button>
    </div>
  )
}

function labelOf({ isOver, secondsLeft }: { isOver: boolean; secondsLeft: number }): string {
  if (isOver) return 'No more mails within this hour'
  return secondsLeft > 0 ? `Send it again in ${secondsLeft} s` : 'Send it again'
}

function useSecondsLeft(sentAt: number): number {
  const [now, setNow] = useState(sentAt)
  useEffect(() => {
    const beat = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(beat)
  }, [])
  return Math.max(0, Math.ceil(WAIT_SECONDS - Math.max(0, now - sentAt) / 1000))
}
