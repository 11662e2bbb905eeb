import type { AdfElement } from '#contract/leads/adf/adf-lead.ts'
import type { MailField } from './mail-fields.ts'

/** An element of an ADF document. */
export const element = (
  name: string,
  content: string | readonly AdfElement[],
  attributes: Record<string, string> = {},
): AdfElement => ({
  name,
  attributes,
  text: typeof content === 'string' ? content : '',
  children: typeof content === 'string' ? [] : [...content],
})

/** Names that ADF reads as something else. */
const RESERVED =
  /^(?:vehicle|customer|vendor|provider|id|requestdate|status|comments|additional|prospect|adf|contact|text|address|timeframe)$/i

/** A label as the name of an element, in which only letters, digits and underscores may be: "Best_time_to_call". */
export function elementName(label: string): string {
  const name = label
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, 80)
    .replaceAll(/^_+|_+$/g, '')
  if (RESERVED.test(name)) return `${name}_of_form`
  return /^\p{L}/u.test(name) ? name : `Field_${name}`
}

/** An element that ADF doesn't have, under the label of the field. */
export const labeled = ({ label, value }: Pick<MailField, 'label' | 'value'>): AdfElement =>
  element(elementName(label), value)

/** The first value; further ones that differ keep their label. */
export function oneOf(found: readonly MailField[], make: (value: string) => AdfElement): AdfElement[] {
  const [first, ...more] = found
  if (first === undefined) return []
  return [make(first.value), ...more.flatMap((one) => (one.value === first.value ? [] : [labeled(one)]))]
}
