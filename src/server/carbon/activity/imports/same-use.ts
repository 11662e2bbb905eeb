import type { Unit } from '#contract/carbon/factors/unit-table.ts'

type Range = readonly [least: number, most: number]
/** MJ per m3 of biogas, natural gas, propane and butane, and liquids. */
const PER_M3: readonly Range[] = [
  [18, 26],
  [30, 46],
  [85, 135],
  [18_000, 47_000],
]
/** MJ per kg of steam, and of what is burned. */
const PER_KG: readonly Range[] = [
  [2, 4],
  [10, 60],
]
/** How far two amounts of the same energy may be apart: gross and net differ by a tenth. */
const NEAR: Range = [0.88, 1.14]
/** Gas is measured at other temperatures than it is billed at. */
const NEAR_VOLUME: Range = [0.8, 1.25]

/**
 * Whether two amounts of a line may be one use in two units, such as gas in kWh and CCF. @param share how many of `one` there are for one of
 * `other`. @returns null if their units don't tell
 */
export function maySayTheSame(one: Unit, other: Unit, share: number): boolean | null {
  const [a, b] = [one, other].map(sizeOf)
  if (a === undefined || b === undefined || a.kind === '' || b.kind === '') return null
  const ratio = (share * a.size) / b.size
  if (a.kind === b.kind) return isIn([a.kind === 'm3' ? NEAR_VOLUME : NEAR], ratio)
  if (a.kind === 'MJ') return isIn(b.kind === 'm3' ? PER_M3 : PER_KG, ratio)
  if (b.kind === 'MJ') return isIn(a.kind === 'm3' ? PER_M3 : PER_KG, 1 / ratio)
  return null
}

const isIn = (ranges: readonly Range[], value: number): boolean =>
  ranges.some(([least, most]) => value >= least && value <= most)

function sizeOf({ dimension, toBase }: Unit): { kind: 'MJ' | 'm3' | 'kg' | ''; size: number } {
  const size = Number(toBase)
  if (dimension === 'energy') return { kind: 'MJ', size }
  if (dimension === 'volume') return { kind: 'm3', size: size / 1_000 }
  if (dimension === 'gas_volume_std') return { kind: 'm3', size }
  return { kind: dimension === 'mass' ? 'kg' : '', size }
}
