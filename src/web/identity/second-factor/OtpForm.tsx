import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import {
  type OtpType,
  type OtpChannel,
  secondFactor,
} from '#contract/identity/second-factor/second-factor.ts'
import { queryClient, send } from '#web/api/query.ts'
import { afterSignIn } from '#web/session/guard.ts'
import { isRemembered } from '#web/session/store.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { SignInField } from '../sign-in/SignInField.tsx'
import { checkOtp } from './check-otp.ts'

const route = getRouteApi('/auth/verify-login')
const verifyOtp = send(secondFactor.verifyOtp)

const HELP: Readonly<Record<OtpType, string>> = {
  email: 'It works for 10 minutes. Look into spam, too.',
  authenticator: 'Your authenticator app shows it, and a new one every 30 seconds.',
  backup: 'Each of them works once.',
}

/** Typing the code is all there is to do here. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/** One field for the code of a way. A wrong one is told at the field; the sign-in goes on. */
export function OtpForm({ way }: { way: OtpChannel }) {
  const session = useSessionOwner()
  const router = useRouter()
  const { next } = route.useSearch()
  const [otp, setOtp] = useState('')
  const [isTrust, setIsTrust] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const verify = useMutation({
    mutationFn: verifyOtp,
    onSuccess: async (token) => {
      session.begin(token, { isRemember: isRemembered() })
      // The list of ways was for the session that waited.
      queryClient.clear()
      await router.navigate({ href: afterSignIn(readClaims(token.accessToken), next) })
    },
  })
  const wrong = isTried ? checkOtp(way.type, otp) : undefined
  const refused = verify.error?.fields['otp']
  const isBackup = way.type === 'backup'

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (verify.isPending || checkOtp(way.type, otp) !== undefined) return
    verify.mutate({ otp, isTrust, token: session.accessToken })
  }

  return (
    <form onSubmit={submit} noValidate>
      <FormAlert message={verify.error && refused === undefined ? verify.error.message : null} />
      <SignInField
        label={isBackup ? 'Backup code' : 'Code of 6 digits'}
        name="otp"
        className="fc-otp"
        dir="ltr"
        ref={focusAtStart}
        autoComplete="one-time-code"
        autoCapitalize={isBackup ? 'characters' : 'none'}
        inputMode={isBackup ? 'text' : 'numeric'}
        spellCheck={false}
        maxLength={isBackup ? 20 : 12}
        value={otp}
        onChange={(text) => {
          setOtp(text)
          verify.reset()
        }}
        error={wrong ?? refused}
        help={HELP[way.type]}
      />
      <label className="fc-check">
        <input
          type="checkbox"
          name="isTrust"
          checked={isTrust}
          onChange={(event) => setIsTrust(event.currentTarget.checked)}
        />
        Trust this device for 30 days
      </label>
      <button type="submit" className="fc-sign-in-button" aria-disabled={verify.isPending}>
        {verify.isPending ? 'Verifying…' : 'Verify'}
      </button>
    </form>
  )
}
