import { Button, TextInput } from '@mantine/core'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
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
  const ids = targets.map(({ id }) => id)
  const call = useCallForm({
    endpoint: assessmentTargets.changeDueDate,
    about: ids.join(),
    initial: { dueOn: targets[0]?.dueOn ?? dueOn },
    send: (values) => changeDueDate({ ids, ...values }),
    onDone: onAnswer,
  })
  const reset = useCallForm({
    endpoint: assessmentTargets.changeDueDate,
    about: ids.join(),
    initial: {},
    send: () => changeDueDate({ ids, dueOn: null }),
    onDone: (result) => {
      call.kept.end()
      onAnswer(result)
    },
  })
  return (
    <CallForm
      call={{
        ...call,
        refusal: call.refusal ?? reset.refusal,
        isBusy: call.isBusy || reset.isBusy,
        isLocked: call.isLocked || reset.isLocked,
      }}
      confirm={`Change ${count(targets.length, 'due date', 'due dates')}`}
      onCancel={() => onAnswer(null)}
      buttons={
        targets.some(({ hasOwnDueDate }) => hasOwnDueDate) && (
          <Button variant="subtle" color="gray" onClick={reset.submit}>
            Use the due date of the assessment
          </Button>
        )
      }
    >
      <TextInput
        {...call.field('dueOn')}
        type="date"
        label="Due"
        required
        data-autofocus
        max="2100-12-31"
        description={<bdi>The assessment is due {showDay(dueOn)}. People aren't notified of the change.</bdi>}
      />
    </CallForm>
  )
}
