import { Radio, TextInput } from '@mantine/core'
import { impersonation, IMPERSONATION_MINUTES } from '#contract/identity/impersonation/impersonation.ts'
import type { Token } from '#contract/identity/sessions/session.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'

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

const VIEW: { mode: Mode; reason: string } = { mode: 'view', reason: '' }
const impersonate = send(impersonation.impersonate)

/** View only is the default, as it is the usual need; acting requires a reason. */
export function ImpersonateForm({ id, name, token, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: impersonation.impersonate,
    about: id,
    initial: VIEW,
    check: ({ mode, reason }): { reason?: string } =>
      mode === 'act' && reason.trim() === '' ? { reason: 'Reason is required.' } : {},
    send: ({ mode, reason }) =>
      impersonate({ userId: id, token, mode, ...(mode === 'act' && { reason: reason.trim() }) }),
    onDone: onAnswer,
  })
  const { mode } = call.values
  return (
    <CallForm
      call={call}
      confirm={`${mode === 'view' ? 'View' : 'Act'} as ${name}`}
      onCancel={() => onAnswer(null)}
    >
      <p>
        <bdi>
          {name} will be notified by email. Everything is logged under both names. Impersonation ends after{' '}
          {IMPERSONATION_MINUTES} minutes.
        </bdi>
      </p>
      <Radio.Group
        aria-label="Mode"
        value={mode}
        onChange={(value) => call.change({ mode: value === 'act' ? 'act' : 'view' })}
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
          {...call.field('reason')}
          label="Reason"
          description="Recorded in the audit log."
          required
          maxLength={300}
          autoComplete="off"
        />
      )}
    </CallForm>
  )
}
