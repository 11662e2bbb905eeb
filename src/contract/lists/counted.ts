import { z } from 'zod'

/** A number of rows, and the path of the list that shows exactly these rows. Null: the caller can't open it. */
export const Counted = z.object({ count: z.number().int(), url: z.string().nullable() })
export type Counted = z.infer<typeof Counted>
