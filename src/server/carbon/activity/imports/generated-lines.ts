import type { ColumnEvidence } from './column-evidence.ts'
import { isOtherUse } from './propose-quantity.ts'
import { leave, type ReadingPlan, type ReadLine, usedIn } from './read-line.ts'

const USED = /consum|import|deliver|usage|bezug|soutirage|\b(del|imp)\b|^A\+$|^AI$|(^|[-:])1\.8\.\d/i
const GENERATED =
  /generat|export|surplus|received|einspeis|injection|solar|\b(rec|rcv|exp)\b|^A-$|^AE$|(^|[-:])2\.8\.\d/i
/** By OBIS code, or as meters in the UK and Germany name it. */
const REACTIVE = /(^|[-:])[3-8]\.8\.\d|^R[+-]$|^R[IE]$|kvarh/i

/** The register of all tariffs, and those of single ones. */
const TOTAL = /(^|[-:])1\.8\.0$/
const PART = /(^|[-:])1\.8\.[1-9]$/

/**
 * A column says of each line whether it was used, sent back to the grid, or only reactive: what was sent back is no use, and reactive
 * energy is none.
 */
export function leaveGenerated(lines: readonly ReadLine[], { proposal, mapping }: ReadingPlan): void {
  const direction = proposal.evidence.find(({ values, isDate, place }) => {
    const words = [...new Set(values)]
    const isOther = words.some((one) => isGenerated(one) || REACTIVE.test(one) || PART.test(one))
    // Reactive energy in a column of units is asked about.
    return (
      !isDate &&
      place !== mapping.columns.unit &&
      words.length <= 12 &&
      words.some((one) => USED.test(one)) &&
      isOther
    )
  })
  if (direction === undefined) return
  const hasTotal = direction.values.some((one) => TOTAL.test(one))
  for (const read of lines) {
    const word = read.raw[direction.place]?.trim() ?? ''
    if (read.isLeft) continue
    if (isGenerated(word)) leave(read, null, 'Left out: energy that was sent back to the grid.')
    else if (REACTIVE.test(word)) leave(read, null, 'Left out: reactive energy.')
    else if (hasTotal && PART.test(word))
      leave(read, null, 'Left out: a part of the register of all tariffs.')
  }
}

const isGenerated = (text: string): boolean => GENERATED.test(text) && !USED.test(text.replace(GENERATED, ''))

/** Whether a word says which way energy flowed. */
export const isFlow = (word: string): boolean => USED.test(word) || isGenerated(word) || REACTIVE.test(word)

/**
 * In a list with a line for each energy, such as kWh and therms in columns of their own, a line without use of this energy is of the other
 * one, and so is its cost. It is left out.
 */
export function leaveOtherUses(lines: readonly ReadLine[], { mapping, proposal }: ReadingPlan): void {
  const used = proposal.evidence.find(({ place }) => place === mapping.columns.quantity)
  if (used === undefined) return
  const mapped = new Set([...Object.values(mapping.columns), ...mapping.addends])
  for (const read of lines) {
    if (read.record === null || read.isLeft || !usedIn(read).isZero()) continue
    const hasUse = ({ place }: ColumnEvidence) => /[1-9]/.test(read.raw[place] ?? '')
    const other = proposal.evidence.find(
      (one) =>
        !mapped.has(one.place) && isOtherUse(one, { used, source: read.source ?? undefined }) && hasUse(one),
    )
    if (other !== undefined) leave(read, 'quantity', `Left out: its use is in the column “${other.title}”.`)
  }
}
