import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Status } from '#web/ui/controls/Status.tsx'

const testHandler = send(emailHandlers.test)

/** Sends a test email with the saved handler and shows the server's response. */
export function HandlerTest({ id, isChanged }: { id: string; isChanged: boolean }) {
  const [toEmail, setToEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const testing = useMutation({
    mutationFn: testHandler,
    onError: (failure) => {
      const sentence = failure.fields.toEmail
      if (sentence === undefined) showError(failure)
      else setError(sentence)
    },
  })
  function run() {
    setError(null)
    if (!isChanged && !testing.isPending) testing.mutate({ id, toEmail })
  }
  const { data } = testing
  return (
    <div className="fc-wide fc-form-section fc-handler-test">
      <TextInput
        label="Send a test email to"
        type="email"
        dir="ltr"
        value={toEmail}
        error={error}
        maxLength={254}
        autoComplete="email"
        onChange={(event) => setToEmail(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Don't submit the form.
          event.preventDefault()
          run()
        }}
      />
      <Action
        for={emailHandlers.test}
        variant="default"
        lock={isChanged ? 'Save your changes first. The test uses the saved handler.' : null}
        loading={testing.isPending}
        onClick={run}
      >
        Send test
      </Action>
      <output className="fc-small">
        {data && (
          <>
            <Status tone={data.isSent ? 'good' : 'bad'} mark={data.isSent ? 'check' : 'cross'}>
              {data.isSent ? 'Sent' : 'Not sent'}
            </Status>{' '}
            <bdi>{data.message}</bdi>
          </>
        )}
      </output>
    </div>
  )
}
