import type { ActivityRecord } from '#contract/carbon/activity-fields.ts'
import { Figure } from '#contract/carbon/figure.ts'

/** As much more or less a day than the others of its source, and it is looked at. */
const TIMES = 3
/** Of fewer records nothing can be said. */
const FEWEST = 4

/** What is unusual about a record, as a sentence; nothing for the others. Compared a day, within its source and unit. */
export function findOutliers(records: readonly ActivityRecord[]): Map<string, string> {
  const found = new Map<string, string>()
  const groups = Map.groupBy(records, ({ sourceId, unit }) => `${sourceId} ${unit ?? ''}`)
  for (const group of groups.values()) {
    const daily = group.flatMap((record) => {
      const perDay = dailyOf(record)
      return perDay === null ? [] : [{ id: record.id, perDay }]
    })
    if (daily.length < FEWEST) continue
    const usual = median(daily.map(({ perDay }) => perDay))
    if (usual.lte(0)) continue
    for (const { id, perDay } of daily) {
      const times = perDay.div(usual)
      if (times.gte(TIMES)) found.set(id, `${times.toFixed(1)} times the usual of its source`)
      else if (times.mul(TIMES).lte(1))
        found.set(id, `${times.mul(100).toFixed(0)} % of the usual of its source`)
    }
  }
  return found
}

function dailyOf({ quantity, periodStart, periodEnd }: ActivityRecord): Figure | null {
  if (quantity === null) return null
  const days = (Date.parse(periodEnd) - Date.parse(periodStart)) / 86_400_000 + 1
  return days > 0 ? new Figure(quantity).div(days) : null
}

function median(figures: readonly Figure[]): Figure {
  const sorted = figures.toSorted((one, other) => one.comparedTo(other))
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? new Figure(0)
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? upper
  return upper.add(lower).div(2)
}
