import { z } from 'zod'
import { WhiteLabel } from './auth.ts'

/**
 * What the server writes into the page it serves, as JSON in the element with this id, so that the first paint
 * already has the right name and colours and the idle watch its times (specification section 9).
 */
export const BOOT_ELEMENT = 'forecourt-boot'

export const Boot = z.object({
  whiteLabel: WhiteLabel,
  idleSeconds: z.number(),
  idleWarningSeconds: z.number(),
  hasThemeCustomizer: z.boolean(),
  /** People may sign in with Google. */
  hasGoogle: z.boolean(),
  /** Ends the names of our cookies: two copies on one host must not overwrite each other's. */
  installId: z.string(),
})
export type Boot = z.infer<typeof Boot>
