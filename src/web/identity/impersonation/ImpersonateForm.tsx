import { Button, Radio, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { impersonation, IMPERSONATION_MINUTES } from '#contract/identity/impersonation/impersonation.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { send } from '#web/api/query.ts'
import '@mantine/core/styles/Radio.layer.css'
import './impersonation.css'

type Mode = 'view' | 'act'
type Props = {
  id: string
  name: string
  /** The caller's stored token. */
  token: string
  onAnswer: (token: Token | null) => void
}

const MODES = [
  { mode: 'view', label: 'View only', about: "See what they see. You can't make changes." },
  { mode: 'act', label: 'Act', about: 'Make changes as this user. Requires a reason.' },
] as const

const impersonate = send(impersonation.impersonate)

/** View only is the default, as it is the usual need; acting requires a reason. */
export function ImpersonateForm({ id, name, token, onAnswer }: Props) {
  const [mode, setMode] = useState<Mode>('view')
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const start = useMutation({ mutationFn: impersonate, onSuccess: onAnswer })
  const isMissing = mode === 'act' && reason.trim() === ''

  function submit(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (start.isPending || isMissing) return
    start.mutate({ userId: id, token, mode, ...(mode === 'act' && { reason: reason.trim() }) })
  }

  return (
    <form className="fc-dialog-form" noValidate onSubmit={submit}>
      <p>
        <bdi>
          {name} will be notified by email. Everything is logged under both names. Impersonation ends after{' '}
          {IMPERSONATION_MINUTES} minutes.
        </bdi>
      </p>
      <Radio.Group
        aria-label="Mode"
        value={mode}
        onChange={(value) => setMode(value === 'act' ? 'act' : 'view')}
      >
        <div className="fc-dialog-form">
          {MODES.map(({ mode: one, label, about }) => (
            <Radio
              key={one}
              value={one}
              label={label}
              description={about}
              {...(one === 'view' && { 'data-autofocus': true })}
            />
          ))}
        </div>
      </Radio.Group>
      {mode === 'act' && (
        <TextInput
          label="Reason"
          description="Recorded in the audit log."
          required
          maxLength={300}
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={start.error?.fields['reason'] ?? (isTried && isMissing && 'Reason is required.')}
        />
      )}
      {start.error && (
        <p className="fc-impersonate-refusal" role="alert">
          <bdi>{start.error.message}</bdi>
        </p>
      )}
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={start.isPending}>
          {mode === 'view' ? 'View' : 'Act'} as {name}
        </Button>
      </div>
    </form>
  )
}
