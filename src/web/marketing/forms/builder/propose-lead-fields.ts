import type { LeadField, LeadFields } from '#contract/marketing/forms/lead-fields.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'

/** The question that a lead field usually is: by its type, and by words in its code or title. */
const PATTERNS: readonly (readonly [LeadField, readonly Question['type'][], RegExp | null])[] = [
  ['email', ['email'], null],
  ['phone', ['phone'], null],
  ['postalCode', ['postalCode'], null],
  ['firstName', ['text'], /first.?name/i],
  ['lastName', ['text'], /(last|family|sur).?name/i],
  ['fullName', ['text'], /^(your )?(full )?name$/i],
  ['comments', ['longText'], null],
  ['contactMethod', ['single'], /contact|reach/i],
  ['contactTime', ['single', 'text'], /\btime\b/i],
  ['tradeVin', ['vin'], null],
  ['tradeMileage', ['number'], /mileage|odometer/i],
]

/** The contact details that types and titles of the questions suggest. What is already chosen stays. */
export function proposeLeadFields({ sections }: Definition, chosen: LeadFields): LeadFields {
  const questions = sections.flatMap((section) => section.questions)
  const proposed: LeadFields = { ...chosen }
  const taken = new Set(Object.values(chosen))
  for (const [field, types, words] of PATTERNS) {
    if (proposed[field] !== undefined) continue
    const found = questions.find(
      ({ type, code, title, isHidden }) =>
        types.includes(type) &&
        isHidden !== true &&
        !taken.has(code) &&
        (words === null || [code, ...Object.values(title)].some((text) => words.test(text))),
    )
    if (found === undefined) continue
    proposed[field] = found.code
    taken.add(found.code)
  }
  return proposed
}
