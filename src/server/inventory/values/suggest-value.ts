import { MAKE_NAMES } from '#contract/inventory/feeds/mappings/canonical.ts'
import { BUILT_IN_WORDS } from '#contract/inventory/values/built-in-words.ts'
import type { MappedField } from '#contract/inventory/values/mapped-fields.ts'
import { similarity } from './similarity.ts'

/** `certainty`: in percent. `reason`: a sentence. */
export type Suggestion = { value: string; certainty: number; reason: string }

/** What is known of a value. */
export type Evidence = Readonly<{
  field: MappedField
  raw: string
  /** What the VIN of each sample says the field is, in words of the product; null where it says nothing. */
  said: readonly (string | null)[]
  /** What the customer has decided on already, of the same field. */
  known: readonly { raw: string; canonical: string }[]
}>

type Guess = { value: string; chance: number; reason: string }

/** How sure VINs make that all say the same, by their number: one may be mistaken, five are not. */
const BY_VINS = [0, 0.75, 0.87, 0.93, 0.96, 0.97]
/** Below this two words are no more alike than any two are. */
const LEAST_LIKENESS = 0.62
const MOST = 0.99

/**
 * What a value may mean: by what the VINs of its samples say and by words it is spelled like. Null where neither says
 * anything. Where the two contradict each other, neither is believed much.
 */
export function suggestValue(evidence: Evidence): Suggestion | null {
  const byVin = guessByVins(evidence)
  const bySpelling = guessBySpelling(evidence)
  const best = combine(byVin, bySpelling)
  if (best === null) return null
  return { value: best.value, certainty: Math.round(best.chance * 100), reason: best.reason }
}

function combine(byVin: Guess | null, bySpelling: Guess | null): Guess | null {
  if (byVin === null || bySpelling === null) return byVin ?? bySpelling
  if (byVin.value === bySpelling.value) {
    return {
      value: byVin.value,
      chance: Math.min(MOST, 1 - (1 - byVin.chance) * (1 - bySpelling.chance)),
      reason: `${byVin.reason} ${bySpelling.reason}`,
    }
  }
  const [best, other] = byVin.chance >= bySpelling.chance ? [byVin, bySpelling] : [bySpelling, byVin]
  return {
    value: best.value,
    chance: best.chance * (1 - other.chance / 2),
    reason: `${best.reason} Against it: ${other.reason}`,
  }
}

function guessByVins({ field, said }: Evidence): Guess | null {
  const counts = new Map<string, number>()
  for (const one of said) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1)
  const [top] = [...counts].toSorted(([, one], [, other]) => other - one)
  // A VIN says how its maker calls the model, which is seldom what a dealer writes.
  if (top === undefined || field === 'model') return null
  const [value, times] = top
  const all = [...counts.values()].reduce((sum, one) => sum + one, 0)
  const sure = BY_VINS[Math.min(times, BY_VINS.length - 1)] ?? 0
  const share = times / all
  const vins = all === 1 ? 'The VIN of its sample says' : `The VINs of ${times} of ${all} samples say`
  return { value, chance: share === 1 ? sure : sure * share * 0.9, reason: `${vins} ${value}.` }
}

function guessBySpelling({ field, raw, known }: Evidence): Guess | null {
  const words = BUILT_IN_WORDS[field].flatMap(({ word, spellings }) =>
    [word, ...spellings].map((spelling) => ({ spelling, value: word })),
  )
  const makes = field === 'make' ? MAKE_NAMES.map((make) => ({ spelling: make, value: make })) : []
  const decided = known.map(({ raw: spelling, canonical: value }) => ({ spelling, value }))
  let best: { spelling: string; value: string; chance: number } | null = null
  for (const { spelling, value } of [...decided, ...makes, ...words]) {
    const chance = similarity(raw, spelling)
    if (chance > (best?.chance ?? 0)) best = { spelling, value, chance }
  }
  if (best === null || best.chance < LEAST_LIKENESS) return null
  const { spelling, value, chance } = best
  const means = spelling === value ? '' : `, which is ${value}`
  return {
    value,
    chance: Math.min(chance, MOST),
    reason: `It is spelled like \u201c${spelling}\u201d${means}.`,
  }
}
