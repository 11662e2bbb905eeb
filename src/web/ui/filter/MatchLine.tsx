import type { FilterProps } from './filter-props.ts'
import { useMatchCount } from './match-count.ts'
import type { DraftResult } from './rules/rule-draft.ts'

type Props = Pick<FilterProps, 'list' | 'endpoint'> & {
  search: string
  written: DraftResult
  /** For aria-describedby. */
  id: string
}

/**
 * How many rows the rule matches, or what is missing: "86 of 620 vehicles". Failures are subtle, because the rule
 * may still be valid.
 */
export function MatchLine({ list, endpoint, search, written, id }: Props) {
  const filter = written.ok ? written.text : null
  const { counted, isStale, failure } = useMatchCount({ endpoint, search, filter })
  const [one, many] = list.nouns
  return (
    <p id={id} className="fc-match" aria-live="polite" aria-busy={isStale}>
      {!written.ok && written.from === null && <bdi>{written.message}</bdi>}
      {failure && <bdi>{failure.fields['filter'] ?? failure.message}</bdi>}
      {!failure && counted && (
        <bdi>
          <b>{counted.matching.toLocaleString()}</b> of {counted.all.toLocaleString()}{' '}
          {counted.all === 1 ? one : many}
        </bdi>
      )}
    </p>
  )
}
