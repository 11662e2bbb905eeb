import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Assessment, assessments } from '#contract/assessments/assessments/assessments.ts'
import { send } from '#web/api/query.ts'
import { nameForNextYear } from './assessment-labels.ts'

const sendDuplicate = send(assessments.duplicate)

type Props = { assessment: Assessment; onAnswer: (added: Assessment | null) => void }

/** Asks for the name of the next assessment, and adds it as a draft. */
export function DuplicateForm({ assessment: { id, name }, onAnswer }: Props) {
  const [value, setValue] = useState(() => nameForNextYear(name))
  const add = useMutation({ mutationFn: sendDuplicate, onSuccess: onAnswer })
  const problem = add.error?.fields['name']
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.isPending) add.mutate({ id, name: value })
      }}
    >
      <p>
        <bdi>
          Adds a draft with the same targets and people. Its dates are a year later, and it uses the latest
          version of the questionnaire.
        </bdi>
      </p>
      {add.error !== null && problem === undefined && (
        <p role="alert" className="fc-form-alert">
          <bdi>{add.error.message}</bdi>
        </p>
      )}
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={120}
        autoComplete="off"
        value={value}
        error={problem}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={add.isPending}>
          Add draft
        </Button>
      </div>
    </form>
  )
}
