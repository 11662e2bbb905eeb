import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import type { RuleLeaf } from '../expressions/leaf.ts'
import { narrowing } from '../queried-list.ts'
import type { FieldKind, ListField } from './list.ts'

/** The most values of a field that one answer holds, those of most rows. Chosen ones are always among them. */
export const MAX_FACET_VALUES = 50

/** A value of a field as a rule writes it, null where it is missing, what people call it, and how many rows have it. */
export const FacetValue = z.object({
  value: z.string().nullable(),
  label: z.string(),
  rows: z.number().int(),
})
export type FacetValue = z.infer<typeof FacetValue>

/** A field with its values. `isCut`: there are more of them. */
export const Facet = z.object({ field: z.string(), values: z.array(FacetValue), isCut: z.boolean() })
export type Facet = z.infer<typeof Facet>

export const facets = {
  list: endpoint({
    method: 'GET',
    path: '/api/lists/get-facets',
    allow: 'member',
    summary:
      'The values of the fields of a list that declare it, each with how many of the searched and filtered rows have it. What is chosen of a field itself does not narrow its own values, except where a row has several.',
    input: z.strictObject({ list: z.string().max(40), ...narrowing }),
    output: z.array(Facet),
  }),
}

/** Kinds whose values can be listed: what has few of them, or some that most rows share. */
const COUNTED: readonly FieldKind[] = ['text', 'texts', 'choice', 'reference', 'integer']

/** Whether the values of a field stand beside the list. */
export function isCounted({ isFacet, kind }: ListField): boolean {
  return isFacet === true && COUNTED.includes(kind)
}

/** How the values of a field are chosen: any of some, one of some, or all of some where a row has several. */
export function choiceWay({ kind }: Pick<ListField, 'kind'>): 'any' | 'one' | 'all' {
  if (kind === 'texts') return 'all'
  return kind === 'integer' ? 'one' : 'any'
}

/** The values that a part of a rule chooses of its field, as they are written; null where it says anything else. */
export function chosenBy(leaf: RuleLeaf | null): readonly (string | null)[] | null {
  if (leaf === null) return null
  const { operator, value } = leaf
  if (operator === 'missing') return [null]
  if (operator !== '==' && operator !== 'in' && operator !== 'has') return null
  if (typeof value === 'string') return [value]
  return value !== null && !('daysAgo' in value) ? value : null
}
