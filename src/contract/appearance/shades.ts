import { deriveBrand } from './brand.ts'
import { contrast } from './color.ts'
import { type Scheme, SCHEMES } from './tokens.ts'

export type Shade = {
  scheme: Scheme
  /** Button fill and the text on it. */
  fill: string
  onFill: string
  /** The contrast between them: at least 4.5. */
  ratio: number
  /** The color is used unchanged. */
  isAsChosen: boolean
}

/** A brand color in each scheme: itself, or the nearest readable shade. Throws for text that isn't a color. */
export function shadesOf(hex: string): Shade[] {
  return SCHEMES.map((scheme) => {
    const { fill, onFill } = deriveBrand(hex, scheme)
    return { scheme, fill, onFill, ratio: contrast(onFill, fill), isAsChosen: fill === hex.toLowerCase() }
  })
}
