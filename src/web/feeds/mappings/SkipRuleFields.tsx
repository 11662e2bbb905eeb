import { Button, TextInput } from '@mantine/core'
import type { FeedMapping } from '#contract/feeds/mappings/mapping.ts'

type SkipRule = NonNullable<FeedMapping['skipRule']>

type Props = {
  skipRule: SkipRule | null
  /** Errors of its two fields. */
  problems: Readonly<Record<keyof SkipRule, string | undefined>>
  isReadOnly: boolean
  onChange: (skipRule: SkipRule | null) => void
}

const CODE = { input: 'fc-mapping-code' }

/** A rule to skip rows that are not vehicles for sale, with the reason stored with each row. */
export function SkipRuleFields({ skipRule, problems, isReadOnly, onChange }: Props) {
  if (skipRule === null) {
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
        value={skipRule.rule}
        onChange={(event) => onChange({ ...skipRule, rule: event.currentTarget.value })}
      />
      <TextInput
        label="Reason"
        description="Shown with each skipped row."
        readOnly={isReadOnly}
        maxLength={200}
        error={problems.reason}
        value={skipRule.reason}
        onChange={(event) => onChange({ ...skipRule, reason: event.currentTarget.value })}
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
