import { z } from 'zod'
import { Id, line } from '#contract/fields.ts'

const moment = z.iso.datetime({ offset: true, error: 'Enter a date and time.' })

/** What is done with many leads at once. */
export const LeadsChange = z.discriminatedUnion(
  'kind',
  [
    /** To one person, who has to accept each in time; null removes the owners. */
    z.strictObject({ kind: z.literal('assign'), userId: Id.nullable() }),
    /** To the members of a team in their turns. */
    z.strictObject({ kind: z.literal('share'), teamId: Id }),
    z.strictObject({ kind: z.literal('close'), lostReason: line(200, 'Reason') }),
    z.strictObject({ kind: z.literal('reopen') }),
    /** Null ends the snoozes. */
    z.strictObject({ kind: z.literal('snooze'), until: moment.nullable() }),
  ],
  'Choose what to do with the leads.',
)
export type LeadsChange = z.infer<typeof LeadsChange>
