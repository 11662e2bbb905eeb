import { type ImportMapping, MAX_COLUMNS } from '#contract/carbon/activity/import-mapping.ts'
import type { Proposal } from './propose-mapping.ts'

/** A mapping with the answers that decide about its columns and formats. Answers to other questions are used line by line. */
export function applyAnswers(mapping: ImportMapping, proposal: Pick<Proposal, 'quantity'>): ImportMapping {
  const { decimal, order, quantity } = mapping.answers
  const format = {
    decimal: decimal === '.' || decimal === ',' ? decimal : mapping.format.decimal,
    order: order === 'mdy' || order === 'dmy' ? order : mapping.format.order,
  }
  const isChoice = proposal.quantity.choices.some(({ value }) => value === quantity)
  const [column, ...addends] = isChoice ? (quantity ?? '').split('+').map(Number) : []
  if (column === undefined || column >= MAX_COLUMNS) return { ...mapping, format }
  const { quantity: _former, ...others } = mapping.columns
  const free = Object.fromEntries(Object.entries(others).filter(([, place]) => place !== column))
  return { ...mapping, format, columns: { ...free, quantity: column }, addends }
}
