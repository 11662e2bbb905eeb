import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'

/** Delivery events of an email, in ascending order of significance. */
export const MAIL_OUTCOMES = ['delivered', 'opened', 'clicked', 'bounced', 'complained'] as const

const optionalText = (max: number) => z.string().max(max).nullish()

/**
 * What Postmark posts (its documentation, "Webhooks"): Delivery, Bounce, Open, Click and SpamComplaint, matched to the
 * email by MessageID. Unused fields and other record types are accepted and ignored.
 */
export const PostmarkEvent = z.looseObject({
  /** The unguessable last part of the URL. */
  key: z.string().regex(/^\d{1,18}-\d{1,18}-[\w-]{43}$/, "This isn't the key of an email handler."),
  RecordType: z.string().min(1).max(50),
  MessageID: optionalText(100),
  /** The ID of a bounce or complaint. */
  ID: z.union([z.number(), z.string().max(50)]).nullish(),
  /** The bounce type: `HardBounce`, `SoftBounce`, `BadEmailAddress`, ... */
  Type: optionalText(50),
  Description: optionalText(2_000),
  Details: optionalText(5_000),
  DeliveredAt: optionalText(50),
  BouncedAt: optionalText(50),
  ReceivedAt: optionalText(50),
})
export type PostmarkEvent = z.output<typeof PostmarkEvent>

export const mailEvents = {
  take: endpoint({
    method: 'POST',
    path: '/api/mail-events/{key}',
    allow: 'anyone',
    isSecretLink: true,
    summary:
      "Receives Postmark's delivery events at a handler's own URL. Unknown and duplicate events are ignored.",
    input: PostmarkEvent,
  }),
}
