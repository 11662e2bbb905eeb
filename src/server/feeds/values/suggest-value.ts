import { MAKE_NAMES } from '#contract/vehicles/vin/canonical.ts'
import { BUILT_IN_VALUES } from '#contract/feeds/values/built-in-values.ts'
import type { MappedField } from '#contract/feeds/values/mapped-fields.ts'
import { similarity } from '#contract/parsing/similarity.ts'

/** `certainty` in percent; `reason` is a sentence for the user. */
export type Suggestion = { value: string; certainty: number; reason: string }

/** The input for a suggestion. */
export type Evidence = Readonly<{
  field: MappedField
  raw: string
  /** The standard value decoded from each sample VIN; null if the VIN has none. */
  vinValues: readonly (string | null)[]
  /** The customer's existing mappings of the same field. */
  known: readonly { raw: string; canonical: string }[]
}>

type Guess = { value: string; chance: number; reason: string }

/** Chance that the value is right if all sample VINs agree, by their number. */
const BY_VINS = [0, 0.75, 0.87, 0.93, 0.96, 0.97]
/** Below this, two texts are only similar by chance. */
const MIN_SIMILARITY = 0.62
const MAX_CHANCE = 0.99

/**
 * Suggests a standard value from the decoded sample VINs and from similar spellings. Null if neither gives one. If they
 * disagree, the certainty is reduced.
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
      chance: Math.min(MAX_CHANCE, 1 - (1 - byVin.chance) * (1 - bySpelling.chance)),
      reason: `${byVin.reason} ${bySpelling.reason}`,
    }
  }
  const [best, other] = byVin.chance >= bySpelling.chance ? [byVin, bySpelling] : [bySpelling, byVin]
  return {
    value: best.value,
    chance: best.chance * (1 - other.chance / 2),
    reason: `${best.reason} However: ${other.reason}`,
  }
}

function guessByVins({ field, vinValues }: Evidence): Guess | null {
  const counts = new Map<string, number>()
  for (const one of vinValues) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1)
  const [top] = [...counts].toSorted(([, one], [, other]) => other - one)
  // A VIN has the manufacturer's model name, which often differs from the dealers' name.
  if (top === undefined || field === 'model') return null
  const [value, times] = top
  const all = [...counts.values()].reduce((sum, one) => sum + one, 0)
  const sure = BY_VINS[Math.min(times, BY_VINS.length - 1)] ?? 0
  const share = times / all
  const vins = all === 1 ? 'The sample VIN decodes to' : `${times} of ${all} sample VINs decode to`
  return { value, chance: share === 1 ? sure : sure * share * 0.9, reason: `${vins} ${value}.` }
}

function guessBySpelling({ field, raw, known }: Evidence): Guess | null {
  const builtIn = BUILT_IN_VALUES[field].flatMap(({ value, spellings }) =>
    [value, ...spellings].map((spelling) => ({ spelling, value })),
  )
  const makes = field === 'make' ? MAKE_NAMES.map((make) => ({ spelling: make, value: make })) : []
  const decided = known.map(({ raw: spelling, canonical: value }) => ({ spelling, value }))
  let best: { spelling: string; value: string; chance: number } | null = null
  for (const { spelling, value } of [...decided, ...makes, ...builtIn]) {
    const chance = similarity(raw, spelling)
    if (chance > (best?.chance ?? 0)) best = { spelling, value, chance }
  }
  if (best === null || best.chance < MIN_SIMILARITY) return null
  const { spelling, value, chance } = best
  const means = spelling === value ? '' : `, which maps to ${value}`
  return {
    value,
    chance: Math.min(chance, MAX_CHANCE),
    reason: `Spelled like \u201c${spelling}\u201d${means}.`,
  }
}
