import { getRouteApi, useRouter } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import {
  type OtpType,
  type OtpChannel,
  secondFactor,
} from '#contract/identity/second-factor/second-factor.ts'
import { call } from '#web/api/client.ts'
import { useMutation } from '#web/api/mutation.ts'
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
  email: 'Valid for 10 minutes. Check your spam folder, too.',
  authenticator: 'Your authenticator app shows a new code every 30 seconds.',
  backup: 'Each code works once.',
  setup: '',
}

/** The only task on this page is entering the code. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

const SECURITY = '/account/security'

/** Whether someone with emailed codes has no other way in. If it can't be read, they are not asked. */
const hasNoBackupCodes = (): Promise<boolean> =>
  call(secondFactor.own, {}).then(
    ({ authenticatorAt, codeEmail, backupCodesLeft }) =>
      authenticatorAt === null && codeEmail !== null && backupCodesLeft === 0,
    () => false,
  )

/** After an emailed code: backup codes, so that a mail server that fails doesn't lock anyone out. */
function BackupOffer({ onSave, onSkip }: { onSave: () => void; onSkip: () => void }) {
  return (
    <div className="fc-verify">
      <p>You’re signed in. With backup codes, you can sign in even if no email arrives.</p>
      <button type="button" className="fc-sign-in-button" ref={focusOnOffer} onClick={onSave}>
        Get backup codes
      </button>
      <button type="button" className="fc-link-button" onClick={onSkip}>
        Not now
      </button>
    </div>
  )
}

function focusOnOffer(button: HTMLButtonElement | null): void {
  button?.focus()
}

/** The field for a code of the chosen channel. A wrong code shows an error; the sign-in continues. */
export function OtpForm({ channel }: { channel: OtpChannel }) {
  const session = useSessionOwner()
  const router = useRouter()
  const { next } = route.useSearch()
  const [otp, setOtp] = useState('')
  const [isTrust, setIsTrust] = useState(false)
  const [isTried, setIsTried] = useState(false)
  const [isOffered, setIsOffered] = useState(false)
  const verify = useMutation({
    mutationFn: verifyOtp,
    onSuccess: async (token) => {
      session.begin(token, { isRemember: isRemembered() })
      // The cached list of channels belongs to the unverified session.
      queryClient.clear()
      if (channel.type === 'email' && (await hasNoBackupCodes())) {
        setIsOffered(true)
        return
      }
      await goTo(next)
    },
  })
  const goTo = (wanted: string | undefined) =>
    router.navigate({ href: afterSignIn(readClaims(session.accessToken ?? ''), wanted) })
  const wrong = isTried ? checkOtp(channel.type, otp) : undefined
  const rejected = verify.error?.fields['otp']
  const isBackup = channel.type === 'backup'

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (verify.isPending || checkOtp(channel.type, otp) !== undefined) return
    verify.mutate({ otp, isTrust, token: session.accessToken })
  }

  if (isOffered) return <BackupOffer onSave={() => void goTo(SECURITY)} onSkip={() => void goTo(next)} />
  return (
    <form onSubmit={submit} noValidate>
      <FormAlert message={verify.error && rejected === undefined ? verify.error.message : null} />
      <SignInField
        label={isBackup ? 'Backup code' : '6-digit code'}
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
        error={wrong ?? rejected}
        help={HELP[channel.type]}
      />
      <label className="fc-sign-in-check">
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
