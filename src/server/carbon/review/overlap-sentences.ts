type Period = { periodStart: string; periodEnd: string }

/** The warning about a record that shares days with another record of its source. */
export const overlapSentence = ({ periodStart, periodEnd }: Period): string =>
  `Another record of this source overlaps this period: ${periodStart} to ${periodEnd}. Both count.`

/** The warning about a bill that seems to be entered twice, in two units. */
export const sameBillSentence = ({ quantity, unit }: { quantity: string; unit: string }): string =>
  `This looks like the same bill as ${quantity} ${unit} for the same period, in another unit. Both are counted.`
