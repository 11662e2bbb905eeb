import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import type { RuleLeaf } from '../expressions/leaf.ts'
import { narrowing } from '../queried-list.ts'
import type { FieldKind, ListField } from './list.ts'

/**
 * The maximum number of values per field in one response, the most frequent first. Selected values are always
 * included.
 */
export const MAX_FACET_VALUES = 50

/** A value as written in a rule, null if it is empty, with its label and row count. */
export const FacetValue = z.object({
  value: z.string().nullable(),
  label: z.string(),
  rows: z.number().int(),
})
export type FacetValue = z.infer<typeof FacetValue>

/** A field with its values. `isCut`: there are more values. */
export const Facet = z.object({ field: z.string(), values: z.array(FacetValue), isCut: z.boolean() })
export type Facet = z.infer<typeof Facet>

export const facets = {
  list: endpoint({
    method: 'GET',
    path: '/api/lists/get-facets',
    allow: 'member',
    summary:
      "The values of a list's facet fields, each with the number of matching rows. Values selected in a field don't narrow the field's own counts, unless a row can have several values.",
    input: z.strictObject({ list: z.string().max(40), ...narrowing }),
    output: z.array(Facet),
  }),
}

/** Kinds with few values, or with some that many rows share. */
const COUNTED: readonly FieldKind[] = ['text', 'texts', 'choice', 'reference', 'integer']

/** Whether a field is shown as a facet. */
export function isCounted({ isFacet, kind }: ListField): boolean {
  return isFacet === true && COUNTED.includes(kind)
}

/**
 * How values of a field are selected: any of several, exactly one, or all of several if a row can have several
 * values.
 */
export function selectionMode({ kind }: Pick<ListField, 'kind'>): 'any' | 'one' | 'all' {
  if (kind === 'texts') return 'all'
  return kind === 'integer' ? 'one' : 'any'
}

/** The values of its field that a condition selects, as written; null for any other condition. */
export function chosenBy(leaf: RuleLeaf | null): readonly (string | null)[] | null {
  if (leaf === null) return null
  const { operator, value } = leaf
  if (operator === 'missing') return [null]
  if (operator !== '==' && operator !== 'in' && operator !== 'has') return null
  if (typeof value === 'string') return [value]
  return value !== null && !('daysAgo' in value) ? value : null
}
