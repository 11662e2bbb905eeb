import { Checkbox } from '@mantine/core'
import { useId, useState } from 'react'
import type { Facet, FacetValue } from '#contract/lists/facets.ts'
import type { ListField } from '#contract/lists/list.ts'
import { isSame } from './facet-rule.ts'

type Props = {
  facet: Facet
  field: ListField
  /** From the filter. */
  chosen: readonly (string | null)[]
  onToggle: (value: string | null, isOn: boolean) => void
}

/** More values than this are behind a button. */
const FEW = 6

/** The values of one field. Chosen values stay visible even if no row has them. */
export function FacetValues({ facet, field, chosen, onToggle }: Props) {
  const title = useId()
  const [isWhole, setIsWhole] = useState(false)
  const isChosen = (value: string | null) => chosen.some((one) => isSame(one, value))
  const values = inOrder(field, [...facet.values, ...unseen(facet, field, chosen)])
  const shown = isWhole ? values : values.filter(({ value }, at) => at < FEW || isChosen(value))
  const hidden = values.length - shown.length
  return (
    <section className="fc-facet" aria-labelledby={title}>
      <h2 id={title}>{field.title}</h2>
      {shown.map(({ value, label, rows }) => (
        <Checkbox
          key={value ?? ''}
          size="xs"
          checked={isChosen(value)}
          onChange={(event) => onToggle(value, event.currentTarget.checked)}
          label={
            <>
              <span className={value === null ? 'fc-cut fc-faint' : 'fc-cut'}>
                <bdi>{label}</bdi>
              </span>{' '}
              <span className="fc-facet-rows">{rows.toLocaleString()}</span>
            </>
          }
        />
      ))}
      {(hidden > 0 || isWhole) && (
        <button
          type="button"
          className="fc-link"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show ${hidden} more`}
          <span className="fc-hidden"> of {field.title}</span>
        </button>
      )}
      {isWhole && facet.isCut && (
        <p className="fc-small fc-faint">Use a filter to find less common values.</p>
      )}
    </section>
  )
}

/** Chosen values that no row has under the current filter. */
function unseen(facet: Facet, field: ListField, chosen: Props['chosen']): FacetValue[] {
  return chosen
    .filter((value) => !facet.values.some((one) => isSame(one.value, value)))
    .map((value) => ({
      value,
      label: field.choices?.find((choice) => choice.value === value)?.label ?? value ?? 'None',
      rows: 0,
    }))
}

/** Choices in their declared order, numbers in descending order, all others by row count. */
function inOrder({ kind, choices }: ListField, values: readonly FacetValue[]): readonly FacetValue[] {
  if (kind === 'integer') return values.toSorted((one, other) => Number(other.value) - Number(one.value))
  if (kind !== 'choice' || choices === undefined) return values
  // Values that are no longer declared, or empty, come last.
  const place = (value: string | null) => {
    const at = choices.findIndex((choice) => choice.value === value)
    return at < 0 ? choices.length : at
  }
  return values.toSorted((one, other) => place(one.value) - place(other.value))
}
