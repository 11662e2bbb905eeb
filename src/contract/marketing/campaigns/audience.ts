import { z } from 'zod'
import { Id } from '#contract/fields.ts'
import { LEAD_OUTCOME_CODES, LEAD_TYPE_CODES } from '#contract/leads/inbox/lead-list.ts'

const MAX_DAYS = 3_650

const days = (label: string) =>
  z
    .number(`${label} must be a number of days.`)
    .int(`${label} must be a whole number of days.`)
    .min(1, `${label} must be at least 1 day.`)
    .max(MAX_DAYS, `${label} may be at most ${MAX_DAYS} days.`)
    .nullable()

const many = <T extends z.ZodType>(one: T, label: string) =>
  z.array(one, `${label} must be a list.`).max(50, `${label} may have at most 50 entries.`)

/** Whom a campaign is for: people of imported lists, or of leads. Everything that is left out matches all leads. */
export const Audience = z.strictObject({
  /** Imported lists of the organization of the campaign. If there are any, it is for their people only, and leads don't matter. */
  listIds: many(Id, 'Lists').default([]),
  /** Lots of the organization of the campaign; empty: all. */
  lotIds: many(Id, 'Lots').default([]),
  types: many(z.enum(LEAD_TYPE_CODES), 'Types').default([]),
  outcomes: many(z.enum(LEAD_OUTCOME_CODES), 'Outcomes').default([]),
  /** Makes of the vehicles that they asked about. */
  makes: many(z.string().trim().min(1).max(60), 'Makes').default([]),
  /** Their last lead or message is at most this many days ago. */
  activeWithin: days('Last activity').default(null),
  /** It is at least this many days ago. */
  quietFor: days('Quiet for').default(null),
})
export type Audience = z.infer<typeof Audience>

export const EVERYONE: Audience = {
  listIds: [],
  lotIds: [],
  types: [],
  outcomes: [],
  makes: [],
  activeWithin: null,
  quietFor: null,
}

/** Why someone who matches isn't mailed. */
export const LEFT_OUT = [
  { value: 'email', label: 'No email address' },
  { value: 'placeholder', label: 'Not a real address' },
  { value: 'suppressed', label: 'Suppressed address' },
  { value: 'consent', label: 'No consent to marketing emails' },
  { value: 'declined', label: 'Declined marketing emails' },
  { value: 'revoked', label: 'Withdrew consent' },
  { value: 'duplicate', label: 'Same address as someone else' },
] as const
export type LeftOut = (typeof LEFT_OUT)[number]['value']

/** Who would be mailed now, and why the others aren't. */
export const AudienceCount = z.object({
  /** People of the lists, or whose leads match. */
  people: z.number().int(),
  /** Addresses that get the email. */
  mailed: z.number().int(),
  leftOut: z.array(z.object({ reason: z.enum(LEFT_OUT.map(({ value }) => value)), count: z.number().int() })),
})
export type AudienceCount = z.infer<typeof AudienceCount>
