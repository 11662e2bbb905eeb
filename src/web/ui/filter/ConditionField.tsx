import { Button, Fieldset, Group, Input, Textarea } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Variables } from '#contract/expressions/variables.ts'
import type { List } from '#contract/lists/list.ts'
import type { ListEndpoint } from '../list/list-endpoint.ts'

const FilterTools = lazy(async () => ({ default: (await import('./FilterTools.tsx')).FilterTools }))

type Props = {
  label: string
  list: List
  /** The source of the rows, for counting matches. */
  endpoint: ListEndpoint<unknown>
  variables: Variables
  value: string
  onChange: (condition: string) => void
  error?: string | undefined
  isReadOnly: boolean
  /** What no condition means: "Every vehicle with a price". */
  empty: string
  max: number
}

/**
 * The condition of a record in its form: a chip for each part, and the whole as text on request. A part that isn't a simple condition is a
 * chip with its text. A condition with an error is text, so that it can be corrected.
 */
export function ConditionField(props: Props) {
  const { label, list, endpoint, variables, value, onChange, error, isReadOnly, empty, max } = props
  const [isText, setIsText] = useState(false)
  if (isText || isReadOnly || error !== undefined) {
    return (
      <div className="fc-wide">
        <Textarea
          label={label}
          value={value}
          onChange={({ currentTarget }) => {
            setIsText(true)
            onChange(currentTarget.value)
          }}
          error={error}
          readOnly={isReadOnly}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={max}
          placeholder={empty}
          spellCheck={false}
          dir="ltr"
        />
        {!isReadOnly && error === undefined && (
          <Button variant="subtle" size="compact-sm" onClick={() => setIsText(false)}>
            Show as filters
          </Button>
        )}
      </div>
    )
  }
  return (
    <Fieldset
      className="fc-wide"
      variant="unstyled"
      legend={<Input.Label component="span">{label}</Input.Label>}
    >
      <Group gap={8}>
        {value === '' && <span className="fc-small fc-soft">{empty}</span>}
        <Suspense>
          <FilterTools {...{ list, endpoint, variables, value, onChange }} isOpenAtFirst={false} />
        </Suspense>
        <Button variant="subtle" size="compact-sm" onClick={() => setIsText(true)}>
          Edit as text
        </Button>
      </Group>
    </Fieldset>
  )
}
