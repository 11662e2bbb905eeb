import type { AdfLead, AdfRest } from './adf-lead.ts'
import { keepRest, newReading } from './adf-reading.ts'

/** A lead with texts that came with its document. They are kept among what no field holds, and before it. */
export function withTexts(lead: AdfLead, texts: readonly AdfRest[]): AdfLead {
  if (texts.length === 0) return lead
  const reading = newReading()
  reading.warnings.push(...lead.warnings)
  const rest = keepRest([...texts, ...lead.rest], reading)
  return { ...lead, rest, warnings: reading.warnings }
}

/** A text under a name such as `text_of_the_email`; none if it has no letters and digits. */
export const textNamed = (at: string, value: string | null): AdfRest[] =>
  value === null || !/[\p{L}\p{N}]/u.test(value) ? [] : [{ at, attribute: null, value: value.trim() }]
