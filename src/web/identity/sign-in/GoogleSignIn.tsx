import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { CallFailure } from '#web/api/failure.ts'
import { FormAlert } from './FormAlert.tsx'
import { leaveForGoogle } from './google-flow.ts'

const route = getRouteApi('/auth/signin')

/** Google sign-in, if it is set up. No Google code runs here: the page redirects to Google and back. */
export function GoogleSignIn() {
  const { next } = route.useSearch()
  const [isBusy, setIsBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)

  async function leave() {
    if (isBusy) return
    setIsBusy(true)
    setMessage(null)
    try {
      await leaveForGoogle(next)
    } catch (failure) {
      setIsBusy(false)
      if (!(failure instanceof CallFailure)) throw failure
      setMessage(failure.message)
    }
  }

  return (
    <div className="fc-sign-in-other">
      <p className="fc-sign-in-or">
        <span>or</span>
      </p>
      <button
        type="button"
        className="fc-sign-in-button fc-sign-in-google"
        aria-disabled={isBusy}
        onClick={() => void leave()}
      >
        Sign in with Google
      </button>
      <FormAlert message={message} />
    </div>
  )
}
