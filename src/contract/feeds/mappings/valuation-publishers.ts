import { VALUATIONS } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { squeezeName } from './aliases.ts'
import type { FeedTarget } from './mapping.ts'
import type { Match } from './match.ts'

/** Publishers of market prices and book values, recognized by the start of their column names. */
const PUBLISHERS: readonly (readonly [begins: RegExp, name: string])[] = [
  [/^(manheim)?mmr|^manheim/, 'Manheim MMR'],
  [/^kbb|^kelley/, 'Kelley Blue Book'],
  [/^jdpower|^nada/, 'J.D. Power'],
  [/^blackbook/, 'Black Book'],
  [/^galves/, 'Galves'],
]

/** The publisher of a valuation, taken from the name of its column if no other column gives it. */
export function namedPublishers(find: (target: FeedTarget) => Match | undefined): Match[] {
  return VALUATIONS.flatMap(({ amount, source }): Match[] => {
    const match = find(amount)
    if (match?.mapping.source.kind !== 'column' || find(source) !== undefined) return []
    const { column } = match.mapping.source
    const publisher = PUBLISHERS.find(([begins]) => begins.test(squeezeName(column)))
    if (publisher === undefined) return []
    return [
      {
        target: source,
        mapping: { source: { kind: 'constant', value: publisher[1] } },
        confidence: match.confidence,
        reason: `Publisher named in column ${column}`,
      },
    ]
  })
}
