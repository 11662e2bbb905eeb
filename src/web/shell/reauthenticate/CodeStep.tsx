import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { call } from '#web/api/client.ts'
import { useMutation } from '#web/api/mutation.ts'
import { STOP_PROPAGATION, LeaveButton } from './LeaveButton.tsx'

type Props = {
  /** Token of the session that waits for the code. The page doesn't use it yet. */
  bearer: string
  onToken: (token: Token) => Promise<void>
  onLeave: () => void
}

const LABELS = {
  email: '6-digit code',
  authenticator: '6-digit code',
  backup: 'Backup code',
} as const

const SET_UP = 'Your user type requires a second factor. Leave this page and sign in again to set one up.'

/** The only task in this step is entering the code. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/** The second factor, if required. An email goes out only on request. */
export function CodeStep({ bearer, onToken, onLeave }: Props) {
  const [otp, setOtp] = useState('')
  const [at, setAt] = useState(0)
  const channels = useQuery({
    queryKey: ['reauthenticate', bearer],
    queryFn: () => call(secondFactor.getOtpList, {}, { bearer }),
  })
  const sending = useMutation({ mutationFn: () => call(secondFactor.sendOtp, { type: 'email' }, { bearer }) })
  const verify = useMutation({
    mutationFn: async () => onToken(await call(secondFactor.verifyOtp, { otp }, { bearer })),
  })
  const all = channels.data ?? []
  const channel = all[at % Math.max(1, all.length)]
  const rejected = verify.error?.fields['otp'] ?? null
  const failure = channels.error ?? sending.error ?? (rejected === null ? verify.error : null)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!verify.isPending && otp.trim() !== '') verify.mutate()
  }

  if (channel === undefined || channel.type === 'setup') {
    const message = channel === undefined ? failure?.message : SET_UP
    return (
      <>
        {message !== undefined ? <Alert message={message} /> : <output>Loading verification methods…</output>}
        <LeaveButton onLeave={onLeave} />
      </>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      {failure && <Alert message={failure.message} />}
      {channel.type === 'email' && (
        <div className="fc-row">
          <Button
            {...STOP_PROPAGATION}
            variant="default"
            loading={sending.isPending}
            onClick={() => sending.mutate()}
          >
            {sending.isSuccess ? 'Resend code' : 'Email me a code'}
          </Button>
          <span className="fc-small fc-soft">
            <bdi>{channel.label}</bdi>
          </span>
        </div>
      )}
      {sending.data?.failure != null && <Alert message={sending.data.failure} />}
      <TextInput
        {...STOP_PROPAGATION}
        key={channel.type}
        name="otp"
        label={LABELS[channel.type]}
        required
        ref={focusAtStart}
        dir="ltr"
        autoComplete="one-time-code"
        inputMode={channel.type === 'backup' ? 'text' : 'numeric'}
        maxLength={20}
        value={otp}
        error={rejected}
        onChange={(event) => {
          setOtp(event.currentTarget.value)
          verify.reset()
        }}
      />
      <div className="fc-buttons">
        <LeaveButton onLeave={onLeave} />
        {all.length > 1 && (
          <Button
            {...STOP_PROPAGATION}
            variant="default"
            onClick={() => {
              setOtp('')
              verify.reset()
              setAt(at + 1)
            }}
          >
            Try another method
          </Button>
        )}
        <Button {...STOP_PROPAGATION} type="submit" loading={verify.isPending}>
          Verify and continue
        </Button>
      </div>
    </form>
  )
}

function Alert({ message }: { message: string }) {
  return (
    <p className="fc-form-alert" role="alert">
      {message}
    </p>
  )
}
