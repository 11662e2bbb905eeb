import { Button, TextInput } from '@mantine/core'
import type { FeedMapping } from '#contract/inventory/feeds/mappings/mapping.ts'

type LeaveOut = NonNullable<FeedMapping['leaveOut']>

type Props = {
  leaveOut: LeaveOut | null
  /** What is wrong with its two fields. */
  problems: Readonly<Record<keyof LeaveOut, string | undefined>>
  isReadOnly: boolean
  onChange: (leaveOut: LeaveOut | null) => void
}

const CODE = { input: 'fc-mapping-code' }

/** Rows that are no vehicles for sale, by a rule over the columns, with the reason that is kept with each. */
export function LeaveOutFields({ leaveOut, problems, isReadOnly, onChange }: Props) {
  if (leaveOut === null) {
    return (
      <div className="fc-row">
        <Button
          variant="default"
          disabled={isReadOnly}
          onClick={() => onChange({ rule: '', reason: 'Left out by the mapping.' })}
        >
          Leave rows out
        </Button>
      </div>
    )
  }
  return (
    <>
      <TextInput
        label="Leave out rows where"
        description="A rule over the columns, by the short names in the table below."
        placeholder={'status == "deleted" || price_number < 500.0'}
        readOnly={isReadOnly}
        maxLength={2_000}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        classNames={CODE}
        error={problems.rule}
        value={leaveOut.rule}
        onChange={(event) => onChange({ ...leaveOut, rule: event.currentTarget.value })}
      />
      <TextInput
        label="Reason"
        description="Stands with each row that is left out."
        readOnly={isReadOnly}
        maxLength={200}
        error={problems.reason}
        value={leaveOut.reason}
        onChange={(event) => onChange({ ...leaveOut, reason: event.currentTarget.value })}
      />
      {!isReadOnly && (
        <div className="fc-row">
          <Button variant="subtle" onClick={() => onChange(null)}>
            Leave no rows out
          </Button>
        </div>
      )}
    </>
  )
}
