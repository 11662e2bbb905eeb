import { Button, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from '#web/api/mutation.ts'
import { QrCode } from '#web/ui/controls/QrCode.tsx'

type Props<T> = {
  secret: string
  uri: string
  setupId: string
  /** Turns the authenticator on. */
  confirm: (code: { otp: string; setupId: string }) => Promise<T>
  onDone: (done: T) => void
  onCancel: () => void
}

/** The dialog is already open, and the element that had the focus is gone. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/** The secret as a QR code and as a key to type, with a field for the first code. */
export function ConfirmCode<T>({ secret, uri, setupId, confirm, onDone, onCancel }: Props<T>) {
  const [otp, setOtp] = useState('')
  const [isTried, setIsTried] = useState(false)
  const confirming = useMutation({
    mutationFn: confirm,
    onSuccess: onDone,
  })
  const isComplete = /^\d{6}$/.test(otp.replace(/[\s-]/g, ''))
  const wrong = isTried && !isComplete ? 'Enter all 6 digits.' : undefined

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (isComplete && !confirming.isPending) confirming.mutate({ otp, setupId })
  }

  return (
    <form className="fc-security-form" onSubmit={submit} noValidate>
      <p>Scan this QR code with your authenticator app, then enter the 6-digit code it shows.</p>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <div>
        <p className="fc-small fc-soft">Can't scan it? Enter this key in the app:</p>
        <code className="fc-security-key" dir="ltr" aria-label="Setup key">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </code>
      </div>
      <TextInput
        label="6-digit code"
        name="otp"
        required
        ref={focusAtStart}
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={otp}
        error={wrong ?? confirming.error?.fields['otp'] ?? confirming.error?.message}
        onChange={(event) => {
          setOtp(event.currentTarget.value)
          confirming.reset()
        }}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={confirming.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  )
}
