import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'

/** What can be heard of a mail once it was taken, from the least to the most telling. */
export const MAIL_OUTCOMES = ['delivered', 'opened', 'clicked', 'bounced', 'complained'] as const

const words = (max: number) => z.string().max(max).nullish()

/**
 * What Postmark posts (its documentation, "Webhooks"): Delivery, Bounce, Open, Click and SpamComplaint, joined with the
 * mail by MessageID. Fields that are not needed are let pass, and so are types not named here.
 */
export const PostmarkEvent = z.looseObject({
  /** The unguessable end of the address. */
  key: z.string().regex(/^\d{1,18}-\d{1,18}-[\w-]{43}$/, 'This is no key of an email handler.'),
  RecordType: z.string().min(1).max(50),
  MessageID: words(100),
  /** Of a bounce or a complaint: its number. */
  ID: z.union([z.number(), z.string().max(50)]).nullish(),
  /** Of a bounce: `HardBounce`, `SoftBounce`, `BadEmailAddress`, ... */
  Type: words(50),
  Description: words(2_000),
  Details: words(5_000),
  DeliveredAt: words(50),
  BouncedAt: words(50),
  ReceivedAt: words(50),
})
export type PostmarkEvent = z.output<typeof PostmarkEvent>

export const mailEvents = {
  take: endpoint({
    method: 'POST',
    path: '/api/mail-events/{key}',
    allow: 'anyone',
    summary:
      "Takes what Postmark tells of a mail, at the handler's own address. What is unknown or told twice does no harm.",
    input: PostmarkEvent,
  }),
}
