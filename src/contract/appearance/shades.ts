import { deriveBrand } from './brand.ts'
import { contrast } from './colour.ts'
import { type Scheme, SCHEMES } from './tokens.ts'

export type Shade = {
  scheme: Scheme
  /** What buttons are filled with, and what is written on them. */
  fill: string
  onFill: string
  /** Between the two: 4.5 or more. */
  ratio: number
  /** The colour works as it was chosen. */
  isAsChosen: boolean
}

/** What a brand colour becomes in each scheme: itself, or the nearest shade that can be read. Throws for what is no colour. */
export function shadesOf(hex: string): Shade[] {
  return SCHEMES.map((scheme) => {
    const { fill, onFill } = deriveBrand(hex, scheme)
    return { scheme, fill, onFill, ratio: contrast(onFill, fill), isAsChosen: fill === hex.toLowerCase() }
  })
}
