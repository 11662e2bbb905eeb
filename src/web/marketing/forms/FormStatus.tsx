import { type Form, FORM_STATUSES } from '#contract/marketing/forms/forms.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  draft: { tone: 'mute', mark: 'wait' },
  published: { tone: 'good', mark: 'check' },
  closed: { tone: 'mute', mark: 'dash' },
} as const

/** Whether visitors can use the form. */
export function FormStatus({ status, isPill = false }: Pick<Form, 'status'> & { isPill?: boolean }) {
  return (
    <Status {...LOOKS[status]} isPill={isPill}>
      {labelOf(FORM_STATUSES, status)}
    </Status>
  )
}
