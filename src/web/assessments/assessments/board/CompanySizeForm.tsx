import { Select } from '@mantine/core'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { type OrganizationSize, SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { labelOf } from '#contract/record.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { count } from '#web/ui/layout/date-format.ts'

const changeSize = send(assessmentTargets.changeSize)

type Props = {
  targets: readonly Target[]
  /** Of the assessment. */
  size: OrganizationSize
  onAnswer: (result: BulkResult | null) => void
}

/** Gives targets a company size of their own, or that of the assessment again. */
export function CompanySizeForm({ targets, size, onAnswer }: Props) {
  const ids = targets.map(({ id }) => id)
  const call = useCallForm({
    endpoint: assessmentTargets.changeSize,
    about: ids.join(),
    initial: { size: targets[0]?.size ?? size },
    send: (values) => changeSize({ ids, size: values.size === size ? null : values.size }),
    onDone: onAnswer,
  })
  const chosen = call.values.size
  return (
    <CallForm
      call={call}
      confirm={`Change ${count(targets.length, 'target', 'targets')}`}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Company size"
        data-autofocus
        allowDeselect={false}
        data={[...SIZE_CHOICES]}
        value={chosen}
        description={
          <bdi>
            It decides which questions are required. The assessment’s size: {labelOf(SIZE_CHOICES, size)}.
          </bdi>
        }
        onChange={(value) =>
          call.change({ size: SIZE_CHOICES.find((one) => one.value === value)?.value ?? chosen })
        }
      />
    </CallForm>
  )
}
