/** A price from a point in time on; null: no price. */
export type PriceStep = { at: string; priceCents: number | null }

export type PriceChart = {
  /** The step line as an SVG path, with gaps while there was no price. */
  path: string
  /** The end of the line at `now`; null without a current price. */
  end: { x: number; y: number } | null
  /** Where the line changes, each with the place of its price in the list. */
  dots: readonly Readonly<{ x: number; y: number; at: number }>[]
  least: number
  most: number
}

type ChartBox = {
  width: number
  height: number
  now: number
  /** Another line in the same chart, which has the same scale. */
  beside?: readonly PriceStep[]
}

/**
 * Draws prices over time as steps in a box of `width` by `height`, until `now`.
 * @returns null if there never was a price.
 */
export function drawSteps(
  points: readonly PriceStep[],
  { width, height, now, beside = [] }: ChartBox,
): PriceChart | null {
  if (points.every(({ priceCents }) => priceCents === null)) return null
  const all = [...points, ...beside]
  const prices = all.flatMap(({ priceCents }) => priceCents ?? [])
  const [least, most] = [Math.min(...prices), Math.max(...prices)]
  const start = Math.min(...all.map(({ at }) => Date.parse(at)))
  const span = Math.max(1, now - start)
  const x = (time: number) => round(((time - start) / span) * width)
  const y = (cents: number) => round(most === least ? height / 2 : ((most - cents) / (most - least)) * height)
  let path = ''
  let isDown = false
  for (const [at, point] of points.entries()) {
    const { priceCents } = point
    const until = points[at + 1]
    if (priceCents === null) {
      isDown = false
      continue
    }
    const from = x(Date.parse(point.at))
    path += isDown ? `V${y(priceCents)}` : `M${from} ${y(priceCents)}`
    path += `H${until === undefined ? width : x(Date.parse(until.at))}`
    isDown = true
  }
  const dots = points.flatMap(({ at: time, priceCents }, at) =>
    priceCents === null ? [] : [{ x: x(Date.parse(time)), y: y(priceCents), at }],
  )
  const last = points.at(-1)?.priceCents ?? null
  return { path, dots, least, most, end: last === null ? null : { x: width, y: y(last) } }
}

const round = (value: number): number => Math.round(value * 10) / 10
