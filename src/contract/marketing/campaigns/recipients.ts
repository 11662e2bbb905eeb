import { z } from 'zod'
import { Instant } from '#contract/fields.ts'

/** What became of the email to one recipient: the furthest that is known. */
export const RECIPIENT_STATES = [
  { value: 'queued', label: 'Queued' },
  { value: 'sent', label: 'Sent' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'in-doubt', label: 'In doubt' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Marked as spam' },
  { value: 'not-sent', label: 'Not sent' },
  { value: 'left-out', label: 'Left out' },
] as const
export type RecipientState = (typeof RECIPIENT_STATES)[number]['value']

/** Why someone was left out when their turn came. */
export const LEFT_OUT_LATER = {
  email: 'The email address was removed.',
  placeholder: "The email address isn't a real one.",
  suppressed: 'The address was suppressed.',
  consent: 'There is no consent to marketing emails anymore.',
  declined: 'Declined marketing emails.',
  revoked: 'Withdrew consent before the email was sent.',
  gone: 'The person was deleted.',
  stopped: 'The campaign was stopped first.',
} as const
const REASONS = [
  'email',
  'placeholder',
  'suppressed',
  'consent',
  'declined',
  'revoked',
  'gone',
  'stopped',
] as const

export const Recipient = z.object({
  id: z.string(),
  personId: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string(),
  state: z.enum(RECIPIENT_STATES.map(({ value }) => value)),
  reason: z.enum(REASONS).nullable(),
  /** What the mail server said. */
  error: z.string().nullable(),
  mailedAt: Instant.nullable(),
})
export type Recipient = z.infer<typeof Recipient>
