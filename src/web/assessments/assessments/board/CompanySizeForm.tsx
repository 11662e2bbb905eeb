import { Button, Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { assessmentTargets, type BulkResult, type Target } from '#contract/assessments/targets/targets.ts'
import { type OrganizationSize, SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { labelOf } from '#contract/record.ts'
import { send } from '#web/api/query.ts'
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
  const [chosen, setChosen] = useState<OrganizationSize>(targets[0]?.size ?? size)
  const change = useMutation({ mutationFn: changeSize, onSuccess: onAnswer })
  const ids = targets.map(({ id }) => id)
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!change.isPending) change.mutate({ ids, size: chosen === size ? null : chosen })
      }}
    >
      {change.error && (
        <p role="alert" className="fc-form-alert">
          <bdi>{change.error.message}</bdi>
        </p>
      )}
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
        onChange={(value) => setChosen(SIZE_CHOICES.find((one) => one.value === value)?.value ?? chosen)}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={change.isPending}>
          Change {count(targets.length, 'target', 'targets')}
        </Button>
      </div>
    </form>
  )
}
