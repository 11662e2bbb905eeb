import type { LeadDocument } from '#contract/leads/adf/adf-lead.ts'
import type { ContactChannel } from './consents.ts'

/** What a source says about consents of the buyer, with its own words as proof. */
export type DocumentConsent = Readonly<{
  kind: 'given' | 'revoked'
  channels: readonly ContactChannel[]
  words: string
}>

const OPT_OUT = /opt(?:ed)?out|donot(?:call|email|text|sms|contact)|(?:^|\/)dn[cs]$|unsubscribed?|nocontact/
const OPT_IN = /opt(?:ed)?in(?!for)|consent|agree(?:s|d)?to|maycontact|permission/
const YES = /^(?:yes|y|true|1|on|x|checked|agreed|accepted|opted[- ]?in|opted[- ]?out)$/i
const NO = /^(?:no|n|false|0|off|unchecked|none|null|declined|n\/a|)$/i

const REFUSES = /\b(?:not|never|no|decline)\b|n['’]t\b/i

/** By the name of an element: `smsOptIn`, `email_opt_out`, `DoNotCall`. */
const CHANNELS: readonly (readonly [RegExp, readonly ContactChannel[]])[] = [
  [/e?mail/, ['email']],
  [/sms|text(?!ure)/, ['text']],
  [/phone|call|voice|tcpa/, ['call']],
]

/**
 * The opt-ins and opt-outs in elements that ADF doesn't have. An opt-out of no channel is one of all; an opt-in of no channel is one of
 * email and calls, never of texts. `channels` of an opt-in are a proposal: a person decides whether the words are a consent.
 */
export function consentsInDocument({ more }: Pick<LeadDocument, 'more'>): DocumentConsent[] {
  return more.flatMap(({ name, at, value }): DocumentConsent[] => {
    const key = `${at}/${name}`.toLowerCase().replaceAll(/[-_. ]+/g, '')
    const own = key.split('/').slice(-2).join('/')
    const text = value.trim()
    const isOut = OPT_OUT.test(own)
    if ((!isOut && !OPT_IN.test(own)) || NO.test(text)) return []
    // A sentence that was agreed to, but not a code or a date of its own.
    const isSentence = text.length >= 20 && /\s/.test(text) && !REFUSES.test(text)
    if (!YES.test(text) && !isSentence) return []
    const named = CHANNELS.flatMap(([is, channels]) => (is.test(own) ? channels : []))
    const all: readonly ContactChannel[] = isOut ? ['email', 'call', 'text'] : ['email', 'call']
    const words = `${name}: ${text}`.slice(0, 500).toWellFormed()
    return [{ kind: isOut ? 'revoked' : 'given', channels: named.length > 0 ? named : all, words }]
  })
}
