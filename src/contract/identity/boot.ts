import { z } from 'zod'
import { WhiteLabel } from './auth.ts'

/**
 * Embedded by the server in the page it serves, as JSON in the element with this ID, so that the first paint
 * already has the right name, colors and idle times (specification section 9).
 */
export const BOOT_ELEMENT = 'forecourt-boot'

export const Boot = z.object({
  whiteLabel: WhiteLabel,
  idleSeconds: z.number(),
  idleWarningSeconds: z.number(),
  hasThemeCustomizer: z.boolean(),
  /** Someone has used the setup link: there are users who can sign in. */
  isSetUp: z.boolean(),
  /** Google sign-in is set up. */
  hasGoogle: z.boolean(),
  /**
   * Suffix of our cookie names, so that two installations on one host don't overwrite each other's cookies.
   */
  installId: z.string(),
})
export type Boot = z.infer<typeof Boot>
