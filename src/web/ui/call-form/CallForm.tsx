import { Box, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import type { CallFormState } from './use-call-form.ts'

type Props = {
  call: Pick<CallFormState<never>, 'refusal' | 'isBusy' | 'kept' | 'submit'>
  /** What the button does; null: there is none. */
  confirm: string | null
  cancel?: string
  onCancel: () => void
  /** The endpoint that determines the button's permission. */
  for?: Endpoint
  /** Why it can't be sent, as a sentence; null if it can. */
  lock?: string | null
  isReady?: boolean
  isDestructive?: boolean
  /** More buttons, at the start. */
  buttons?: ReactNode
  children: ReactNode
}

/** The form of `useCallForm` in a dialog. It stays open until the call has succeeded, and shows a refusal. */
export function CallForm(props: Props) {
  const { call, confirm, cancel = 'Cancel', onCancel, lock = null, isReady = true } = props
  const { for: endpoint, isDestructive = false, buttons, children } = props
  const send = {
    type: 'submit',
    loading: call.isBusy,
    ...(isDestructive && { className: 'fc-danger' }),
  } as const
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && lock === null) call.submit()
      }}
    >
      <Locked isBusy={call.isBusy}>
        {call.refusal !== null && (
          <Box component="p" m={0} role="alert" className="fc-form-alert">
            <bdi>{call.refusal.message}</bdi>
          </Box>
        )}
        <KeptNotice kept={call.kept} margin="0" />
        {children}
        <div className="fc-buttons">
          {buttons}
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
          {confirm !== null &&
            (endpoint === undefined ? (
              <Button {...send} disabled={!isReady}>
                {confirm}
              </Button>
            ) : (
              <Action {...send} for={endpoint} lock={lock} disabled={!isReady}>
                {confirm}
              </Action>
            ))}
        </div>
      </Locked>
    </form>
  )
}
