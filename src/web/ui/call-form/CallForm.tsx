import { Button, Group } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { queryClient } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { useSaveHotkey } from '#web/ui/form/save-hotkey.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { useConflictTitle } from '#web/ui/form/conflict-title.ts'
import type { CallFormState, NewerVersion } from './use-call-form.ts'

type Props = {
  call: Pick<CallFormState<never>, 'refusal' | 'newer' | 'isBusy' | 'isLocked' | 'kept' | 'submit'>
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

/** The form of `useCallForm` in a dialog: Enter and Ctrl+S send it. It stays open until the call has succeeded, and shows a refusal. */
export function CallForm(props: Props) {
  const { call, confirm, cancel = 'Cancel', onCancel, lock = null, isReady = true } = props
  const { for: endpoint, isDestructive = false, buttons, children } = props
  const send = {
    type: 'submit',
    loading: call.isBusy,
    ...(isDestructive && { className: 'fc-danger' }),
  } as const
  const form = useRef<HTMLFormElement>(null)
  const submit = () => {
    if (isReady && lock === null) call.submit()
  }
  useSaveHotkey(() => form.current, submit)
  return (
    <form
      ref={form}
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Locked isBusy={call.isLocked}>
        {call.refusal !== null && <Refusal refusal={call.refusal} onReload={onCancel} />}
        {call.newer !== null && <NewerNotice newer={call.newer} />}
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

/** Says what another user saved while the form was open, and offers it. */
function NewerNotice({ newer: { thing, change, replaced, reload } }: { newer: NewerVersion }) {
  const title = useConflictTitle(thing, change)
  const what =
    replaced.length === 0
      ? 'What was saved meanwhile is in the form now. Save again to add your changes.'
      : `Saved meanwhile: ${replaced.join(', ')}. Your text is still here, and saving again replaces that.`
  return (
    <Group role="alert" gap="sm" px="md" py="sm" fz="sm" bg="var(--fc-warn-tint)">
      <span className="fc-grow">
        <bdi>{`${title}. ${what}`}</bdi>
      </span>
      <Button size="compact-sm" variant="default" onClick={reload}>
        Reload
      </Button>
    </Group>
  )
}

/** Of a stale form without a way to continue: what was typed is offered when it is opened again. */
function Refusal({
  refusal: { message, current },
  onReload,
}: {
  refusal: CallFailure
  onReload: () => void
}) {
  const isStale = current !== undefined
  return (
    <Group role="alert" gap="sm" className="fc-form-alert">
      <span className="fc-grow">
        <bdi>{isStale ? `${message} What you typed is offered when you open this again.` : message}</bdi>
      </span>
      {isStale && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            void queryClient.invalidateQueries()
            onReload()
          }}
        >
          Reload
        </Button>
      )}
    </Group>
  )
}
