import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { call } from '#web/api/client.ts'
import { ALONE, LeaveButton } from './LeaveButton.tsx'

type Props = {
  /** Of the session that waits for the code: it is not yet the page's own. */
  bearer: string
  onToken: (token: Token) => Promise<void>
  onLeave: () => void
}

const LABELS = {
  email: 'Code of 6 digits',
  authenticator: 'Code of 6 digits',
  backup: 'Backup code',
} as const

/** Typing the code is all there is to do here. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/** The second factor, for whoever must give one: a mail goes out only when it is asked for. */
export function CodeStep({ bearer, onToken, onLeave }: Props) {
  const [otp, setOtp] = useState('')
  const [at, setAt] = useState(0)
  const ways = useQuery({
    queryKey: ['sign-in-over', bearer],
    queryFn: () => call(secondFactor.getOtpList, {}, { bearer }),
  })
  const sending = useMutation({ mutationFn: () => call(secondFactor.sendOtp, { type: 'email' }, { bearer }) })
  const verify = useMutation({
    mutationFn: async () => onToken(await call(secondFactor.verifyOtp, { otp }, { bearer })),
  })
  const all = ways.data ?? []
  const way = all[at % Math.max(1, all.length)]
  const refused = verify.error?.fields['otp'] ?? null
  const failure = ways.error ?? sending.error ?? (refused === null ? verify.error : null)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!verify.isPending && otp.trim() !== '') verify.mutate()
  }

  if (way === undefined) {
    return (
      <>
        {failure ? (
          <p className="fc-form-alert" role="alert">
            {failure.message}
          </p>
        ) : (
          <output>Looking up your ways to verify…</output>
        )}
        <LeaveButton onLeave={onLeave} />
      </>
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      {failure && (
        <p className="fc-form-alert" role="alert">
          {failure.message}
        </p>
      )}
      {way.type === 'email' && (
        <div className="fc-row">
          <Button {...ALONE} variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
            {sending.isSuccess ? 'Mail it again' : 'Mail me a code'}
          </Button>
          <span className="fc-small fc-soft">
            <bdi>{way.label}</bdi>
          </span>
        </div>
      )}
      <TextInput
        {...ALONE}
        key={way.type}
        name="otp"
        label={LABELS[way.type]}
        required
        ref={focusAtStart}
        dir="ltr"
        autoComplete="one-time-code"
        inputMode={way.type === 'backup' ? 'text' : 'numeric'}
        maxLength={20}
        value={otp}
        error={refused}
        onChange={(event) => {
          setOtp(event.currentTarget.value)
          verify.reset()
        }}
      />
      <div className="fc-buttons">
        <LeaveButton onLeave={onLeave} />
        {all.length > 1 && (
          <Button
            {...ALONE}
            variant="default"
            onClick={() => {
              setOtp('')
              verify.reset()
              setAt(at + 1)
            }}
          >
            Use another way
          </Button>
        )}
        <Button {...ALONE} type="submit" loading={verify.isPending}>
          Verify and go on
        </Button>
      </div>
    </form>
  )
}
