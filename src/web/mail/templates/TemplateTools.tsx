import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type EmailTemplate, emailTemplates } from '#contract/mail/templates/templates.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

type Props = {
  template: EmailTemplate
  isChanged: boolean
  onRestored: (template: EmailTemplate) => void
}

const restoreTemplate = send(emailTemplates.restore)
const testTemplate = send(emailTemplates.test)
const SAVE_FIRST = 'Save or discard your changes first.'

/** Restores earlier versions, and sends a test email. */
export function TemplateTools({ template: { key, version }, isChanged, onRestored }: Props) {
  const [to, setTo] = useState<string | null>(null)
  const [toEmail, setToEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { data: versions = [] } = useQuery(query(emailTemplates.versions, { key }))
  const restoring = useMutation({
    mutationFn: restoreTemplate,
    onSuccess: (restored) => {
      toast('Version restored', `Saved as version ${restored.version}`)
      onRestored(restored)
    },
    onError: (failure) => showError(failure),
  })
  const testing = useMutation({
    mutationFn: testTemplate,
    onError: (failure) => {
      const sentence = failure.fields.toEmail
      if (sentence === undefined) showError(failure)
      else setError(sentence)
    },
  })
  const earlier = versions.filter((one) => one.version !== version)
  const lock = isChanged ? SAVE_FIRST : null
  return (
    <div className="fc-template-tools">
      <Select
        label="Earlier version"
        placeholder={earlier.length === 0 ? 'None' : 'Choose a version'}
        value={to}
        onChange={setTo}
        data={earlier.map(({ version: number, isBuiltIn, at, by }) => ({
          value: String(number),
          label: isBuiltIn
            ? `${number}, built-in`
            : `${number}, ${[at && formatDay(at), by].filter(Boolean).join(', ')}`,
        }))}
      />
      <Action
        for={emailTemplates.restore}
        variant="default"
        lock={lock ?? (to === null ? 'Choose a version first.' : null)}
        loading={restoring.isPending}
        onClick={() => restoring.mutate({ key, version, to: Number(to) })}
      >
        Restore
      </Action>
      <TextInput
        label="Send a test email to"
        type="email"
        dir="ltr"
        value={toEmail}
        error={error}
        maxLength={254}
        onChange={(event) => setToEmail(event.currentTarget.value)}
      />
      <Action
        for={emailTemplates.test}
        variant="default"
        lock={lock}
        loading={testing.isPending}
        onClick={() => {
          setError(null)
          testing.mutate({ key, toEmail })
        }}
      >
        Send test
      </Action>
      <output className="fc-small">{testing.data?.message}</output>
    </div>
  )
}
