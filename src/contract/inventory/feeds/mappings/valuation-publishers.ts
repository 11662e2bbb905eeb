import { VALUATIONS } from '#contract/inventory/vehicles/vehicle-fields.ts'
import { squeezeName } from './aliases.ts'
import type { FeedTarget } from './mapping.ts'
import type { Match } from './match.ts'

/** Publishers of market prices and book values, by how the names of their columns begin. */
const PUBLISHERS: readonly (readonly [begins: RegExp, name: string])[] = [
  [/^(manheim)?mmr|^manheim/, 'Manheim MMR'],
  [/^kbb|^kelley/, 'Kelley Blue Book'],
  [/^jdpower|^nada/, 'J.D. Power'],
  [/^blackbook/, 'Black Book'],
  [/^galves/, 'Galves'],
]

/** Who published a worth, where no column says it but the name of its own does. */
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
        reason: `The column ${column} names its publisher`,
      },
    ]
  })
}
