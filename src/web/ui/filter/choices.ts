import { useDebouncedValue } from '@mantine/hooks'
import type { Variable } from '#contract/expressions/variables.ts'
import { type Named, useReferences } from './rules/references.ts'

const DEBOUNCE_MS = 250

/**
 * What a field of few can be: its declared choices, or the records it refers to. Where there are more of those than
 * one call answers, what is typed is searched for on the server.
 */
export function useChoices({ choices, refersTo }: Variable, typed: string) {
  const [search] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const first = useReferences(refersTo)
  const isSearched = first.hasMore && search !== ''
  const searched = useReferences(isSearched ? refersTo : undefined, search)
  const known = isSearched ? searched : first
  const all: readonly Named[] = choices ?? known.choices
  const labelOf = (value: string) =>
    [...all, ...first.choices].find((choice) => choice.value === value)?.label ?? `Number ${value}`
  return { all, labelOf, hasMore: first.hasMore, isPending: known.isPending, failure: known.failure }
}
