import { useDebouncedValue } from '@mantine/hooks'
import type { Variable } from '#contract/expressions/variables.ts'
import type { Referred } from '#contract/lists/list.ts'
import { type NamedRecord, UNAVAILABLE, unlisted, useOtherNames, useReferences } from './rules/references.ts'

const DEBOUNCE_MS = 250

/**
 * The options of a field: its declared choices, or the records it refers to. If one call can't return all of those,
 * typed text is searched on the server. `chosen`: the values whose names are shown in any case.
 */
export function useChoices({ choices, refersTo }: Variable, typed: string, chosen: readonly string[]) {
  const [search] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const first = useReferences(refersTo)
  const isSearched = first.hasMore && search !== ''
  const searched = useReferences(isSearched ? refersTo : undefined, search)
  const known = isSearched ? searched : first
  const all: readonly NamedRecord[] = choices ?? known.choices
  const others = first.hasMore ? unlisted(first, chosen) : []
  const nameOf = useOtherNames(
    new Map<Referred, string[]>(refersTo === undefined ? [] : [[refersTo, others]]),
  )
  const labelOf = (value: string) =>
    [...all, ...first.choices].find((choice) => choice.value === value)?.label ??
    (refersTo && nameOf(refersTo, value)) ??
    (refersTo && !first.hasMore && !first.isPending && first.failure === null
      ? UNAVAILABLE[refersTo]
      : `Number ${value}`)
  return { all, labelOf, hasMore: first.hasMore, isPending: known.isPending, failure: known.failure }
}
