import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { send } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { showDay } from '../assessment-labels.ts'

const changeDueDate = send(assessmentTargets.changeDueDate)

type Props = {
  targets: readonly Target[]
  /** The due date of the assessment. */
  dueOn: string
  onAnswer: (result: BulkResult | null) => void
}

/** Gives targets a due date of their own, or that of the assessment again. */
export function DueDateForm({ targets, dueOn, onAnswer }: Props) {
  const [day, setDay] = useState(targets[0]?.dueOn ?? dueOn)
  const change = useMutation({ mutationFn: changeDueDate, onSuccess: onAnswer })
  const ids = targets.map(({ id }) => id)
  const problem = change.error?.fields['dueOn']
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!change.isPending) change.mutate({ ids, dueOn: day })
      }}
    >
      {change.error && problem === undefined && (
        <p role="alert" className="fc-form-alert">
          <bdi>{change.error.message}</bdi>
        </p>
      )}
      <TextInput
        type="date"
        label="Due"
        required
        data-autofocus
        max="2100-12-31"
        value={day}
        error={problem}
        description={<bdi>The assessment is due {showDay(dueOn)}. People aren't notified of the change.</bdi>}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <div className="fc-buttons">
        {targets.some(({ hasOwnDueDate }) => hasOwnDueDate) && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => !change.isPending && change.mutate({ ids, dueOn: null })}
          >
            Use the due date of the assessment
          </Button>
        )}
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Change {count(targets.length, 'due date', 'due dates')}
        </Button>
      </div>
    </form>
  )
}
