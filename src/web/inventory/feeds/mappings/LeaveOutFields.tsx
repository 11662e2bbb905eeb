import { Button, TextInput } from '@mantine/core'
import type { FeedMapping } from '#contract/inventory/feeds/mappings/mapping.ts'

type LeaveOut = NonNullable<FeedMapping['leaveOut']>

type Props = {
  leaveOut: LeaveOut | null
  /** Errors of its two fields. */
  problems: Readonly<Record<keyof LeaveOut, string | undefined>>
  isReadOnly: boolean
  onChange: (leaveOut: LeaveOut | null) => void
}

const CODE = { input: 'fc-mapping-code' }

/** A rule to skip rows that are not vehicles for sale, with the reason stored with each row. */
export function LeaveOutFields({ leaveOut, problems, isReadOnly, onChange }: Props) {
  if (leaveOut === null) {
    return (
      <div className="fc-row">
        <Button
          variant="default"
          disabled={isReadOnly}
          onClick={() => onChange({ rule: '', reason: 'Skipped by the mapping.' })}
        >
          Add skip rule
        </Button>
      </div>
    )
  }
  return (
    <>
      <TextInput
        label="Skip rows where"
        description="A rule that uses the short column names in the table below."
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
        description="Shown with each skipped row."
        readOnly={isReadOnly}
        maxLength={200}
        error={problems.reason}
        value={leaveOut.reason}
        onChange={(event) => onChange({ ...leaveOut, reason: event.currentTarget.value })}
      />
      {!isReadOnly && (
        <div className="fc-row">
          <Button variant="subtle" onClick={() => onChange(null)}>
            Remove skip rule
          </Button>
        </div>
      )}
    </>
  )
}
