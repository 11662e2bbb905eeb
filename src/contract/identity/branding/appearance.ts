import { z } from 'zod'
import { COLOR_SCHEMES, DIRECTIONS, HEADER_COLORS, LAYOUTS } from '#contract/appearance/looks.ts'

/** A user's appearance settings (specification section 2, theme customizer). */
export const Appearance = z.strictObject({
  scheme: z.enum(COLOR_SCHEMES),
  layout: z.enum(LAYOUTS),
  headerColor: z.enum(HEADER_COLORS),
  direction: z.enum(DIRECTIONS),
  /** The menu stays visible while the page scrolls. */
  isMenuFixed: z.boolean(),
  /** The top bar stays visible while the page scrolls. */
  isHeaderFixed: z.boolean(),
  /** The page has a limited width on wide screens. */
  isBoxed: z.boolean(),
  isMenuCollapsed: z.boolean(),
})
export type Appearance = z.infer<typeof Appearance>
