import { z } from 'zod'

/** The user confirms prices beyond the customer's limits; without it, a change that leads to them returns 409 on this field. */
export const ConfirmPrices = z.boolean('This must be true or false.').optional().default(false)
