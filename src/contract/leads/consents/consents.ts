import { z } from 'zod'
import { Instant } from '#contract/fields.ts'
import { CONSENT_CHANNELS, CONSENT_PURPOSES } from '#contract/questions/vocabulary.ts'

export type ContactChannel = (typeof CONSENT_CHANNELS)[number]

/** A consent as it was given or revoked, with the exact text. */
export const ConsentEvent = z.object({
  id: z.string(),
  at: Instant,
  kind: z.enum(['given', 'declined', 'revoked']),
  purpose: z.enum(CONSENT_PURPOSES),
  channel: z.enum(CONSENT_CHANNELS),
  text: z.string(),
  textVersion: z.number().int().nullable(),
  language: z.string().nullable(),
  seller: z.string().nullable(),
  pageUrl: z.string().nullable(),
  byName: z.string().nullable(),
})
export type ConsentEvent = z.infer<typeof ConsentEvent>

/** Whether the store may use a channel to answer a person; `reason` says why not. */
export const ChannelPermission = z.object({
  channel: z.enum(CONSENT_CHANNELS),
  isAllowed: z.boolean(),
  reason: z.string().nullable(),
})
export type ChannelPermission = z.infer<typeof ChannelPermission>

type Fact = Pick<ConsentEvent, 'kind' | 'channel' | 'purpose'>

/**
 * Whether a store may answer a person through each channel. An inquiry may be answered by email and phone until the person
 * revokes that. A text message needs a consent that was given for texts, and the product doesn't send any.
 * @param events newest first.
 */
export function channelPermissions(
  events: readonly Fact[],
  { hasEmail, hasPhone }: { hasEmail: boolean; hasPhone: boolean },
): ChannelPermission[] {
  return CONSENT_CHANNELS.map((channel) => {
    const reason = reasonAgainst(channel, events, { hasEmail, hasPhone })
    return { channel, isAllowed: reason === null, reason }
  })
}

const REVOKED: Readonly<Record<ContactChannel, string>> = {
  email: 'This person asked not to be emailed.',
  call: 'This person asked not to be called.',
  text: 'This person asked not to be texted.',
}

function reasonAgainst(
  channel: ContactChannel,
  events: readonly Fact[],
  { hasEmail, hasPhone }: { hasEmail: boolean; hasPhone: boolean },
): string | null {
  const own = events.filter((event) => event.channel === channel)
  // Revoking marketing doesn't forbid an answer; it is its own purpose.
  const inquiry = own.find(({ kind, purpose }) => kind !== 'declined' && purpose === 'inquiry')
  if (inquiry?.kind === 'revoked') return REVOKED[channel]
  if (channel === 'email') return hasEmail ? null : 'There is no email address.'
  if (!hasPhone) return 'There is no phone number.'
  if (channel === 'call') return null
  const latest = own.find(({ kind, purpose }) => kind !== 'declined' && purpose !== 'privacy')
  return latest?.kind === 'given' ? "Text messages can't be sent from here." : 'Text needs consent.'
}
