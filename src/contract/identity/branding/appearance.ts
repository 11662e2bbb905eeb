import { z } from 'zod'
import { COLOUR_SCHEMES, DIRECTIONS, HEADER_COLOURS, LAYOUTS } from '#contract/appearance/looks.ts'

/** How one person wants the product to look (specification section 2, theme customizer). Kept for the person. */
export const Appearance = z.strictObject({
  scheme: z.enum(COLOUR_SCHEMES),
  layout: z.enum(LAYOUTS),
  headerColor: z.enum(HEADER_COLOURS),
  direction: z.enum(DIRECTIONS),
  /** The menu stays in view while the page scrolls. */
  isMenuFixed: z.boolean(),
  /** The top bar stays in view while the page scrolls. */
  isHeaderFixed: z.boolean(),
  /** The page keeps to a box of limited width on wide screens. */
  isBoxed: z.boolean(),
  isMenuCollapsed: z.boolean(),
})
export type Appearance = z.infer<typeof Appearance>
