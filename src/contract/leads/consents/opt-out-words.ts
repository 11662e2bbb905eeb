import { CONSENT_CHANNELS } from '#contract/questions/vocabulary.ts'
import type { ContactChannel } from './consents.ts'

/** What a buyer doesn't want anymore, and the words that say so. */
export type OptOut = Readonly<{ channels: readonly ContactChannel[]; words: string }>

/** Alone on the first line or in the subject. The words of 47 CFR 64.1200(a)(10), and how people write them. */
const ALONE =
  /^\W*(?:please )?(?:stop ?(?:all|it|now|this|please)?|unsubscribe(?: me)?(?: please)?|cancel|end|quit|revoke|opt[- ]?out|remove(?: me)?(?: please)?|no more|baja|d[eé]sabonner|abmelden)\W*$/i
/** What people write before the words: a greeting, or the subject that they answer. */
const GREETING =
  /^\W*(?:(?:hi|hello|hey|dear|hola|bonjour|hallo|guten tag)\b[^.!?]{0,40}|re:.{0,200}|fwd?:.{0,200}|aw:.{0,200}|sv:.{0,200})$/i

const ME = String.raw`(?: (?:to|with))? (?:me|us)\b`
/** "before 5 PM", "at work": when or where, not whether. */
const WHEN = String.raw`(?!,? (?:until|till|before|after|at (?:work|home|night|the office|\d)|on (?:my|mon|tue|wed|thu|fri|sat|sun|week)|between|today|tomorrow|tonight|this|in the|during|while|if|unless|on weekends)\b)`
const NOT = String.raw`\b(?:(?:do|please do) not|don['’]?t|dont|never|no longer)(?: (?:ever|please|want you to))?`
const BY_PHONE = String.raw`\b(?:by|via|over|on|per|through) (?:the |my )?(?:tele)?(?:phone|cell|mobile|call(?:s|ing)?)\b`

const PHRASES: readonly (readonly [RegExp, readonly ContactChannel[]])[] = [
  [/\bunsubscribe\b|\bopt(?:ing)? (?:me )?out\b|\bd[eé]sabonne[rz]?\b|\bdarme de baja\b/i, ['email']],
  [new RegExp(String.raw`${NOT} e-?mail(?:ing)?${ME}${WHEN}`, 'i'), ['email']],
  [
    /\bstop (?:sending|e-?mailing|mailing)\b|\bno more e-?mails?\b|\bdejen? de (?:enviar|escribir)/i,
    ['email'],
  ],
  [new RegExp(String.raw`${NOT} (?:send|write)${ME}${WHEN}`, 'i'), ['email']],
  [
    /\b(?:remove|take|delete) (?:me|my (?:e-?mail|name|address)(?: address)?) (?:off|from|out of)\b/i,
    ['email'],
  ],
  [new RegExp(String.raw`${NOT} (?:call|phone|ring)${ME}${WHEN}`, 'i'), ['call']],
  // "I prefer email, no phone calls please", but not "no calls before 5 PM".
  [
    new RegExp(
      String.raw`\bno (?:phone |telephone )?calls?\b(?: please)?${WHEN}|\bnicht (?:mehr )?anrufen\b|\bkeine anrufe\b|\bne (?:me|m['’])\s?(?:pas )?(?:appelez|téléphonez)\b`,
      'i',
    ),
    ['call'],
  ],
  [new RegExp(String.raw`\bno (?:texts?|text messages)\b(?: please)?${WHEN}`, 'i'), ['text']],
  [/\bstop (?:calling|phoning)\b|\bno more (?:phone )?calls?\b|\bno me llamen?\b/i, ['call']],
  [new RegExp(String.raw`${NOT} (?:text|sms)${ME}${WHEN}`, 'i'), ['text']],
  [/\bstop texting\b|\bno more (?:texts?|text messages)\b/i, ['text']],
  [/\b(?:remove|delete) my (?:phone )?number\b/i, ['call', 'text']],
  [
    new RegExp(
      String.raw`${NOT} (?:contact|message|bother)${ME}(?! (?:by|via|over|on|per|through) )${WHEN}`,
      'i',
    ),
    CONSENT_CHANNELS,
  ],
  [new RegExp(String.raw`${NOT} (?:contact|reach|bother)${ME} ${BY_PHONE}`, 'i'), ['call', 'text']],
  [
    new RegExp(String.raw`${NOT} (?:contact|reach|bother)${ME} (?:by|via|over|per) e-?mails?\b`, 'i'),
    ['email'],
  ],
  [
    new RegExp(
      String.raw`${NOT} (?:contact|reach|bother)${ME} (?:by|via|over|per) (?:texts?|sms|text messages?)\b`,
      'i',
    ),
    ['text'],
  ],
  [
    new RegExp(
      String.raw`\b(?:do not|don['’]?t|dont) (?:want|wish|like) to (?:be )?(?:called|phoned|get (?:any )?(?:more )?(?:phone )?calls)\b${WHEN}`,
      'i',
    ),
    ['call'],
  ],
  [
    /\b(?:do not|don['’]?t|dont) (?:want|wish|like) to (?:be )?(?:e-?mailed|(?:get|receive) (?:any )?(?:more |your )?e-?mails)\b|\bkeine (?:weiteren )?e-?mails?\b|\bplus d['’]e-?mails\b|\bno m[áa]s correos\b/i,
    ['email'],
  ],
  [/\b(?:do not|don['’]?t|dont) (?:want|wish|like) to be texted\b/i, ['text']],
  [
    /\b(?:do not|don['’]?t|dont) (?:want|wish|like) to be (?:contacted|bothered)\b(?!,? (?:by|via|until|before|after|at))/i,
    CONSENT_CHANNELS,
  ],
  [/\blose my number\b/i, ['call', 'text']],
  [/^\W*(?:please )?(?:stop|remove me)(?: please)?\W*$/i, ['email']],
  [
    /\bstop (?:contacting|messaging|bothering|harassing|spamming)\b|\bleave me alone\b|\bno me contacten?\b/i,
    CONSENT_CHANNELS,
  ],
]
/** "If you don't call me by Friday", "Why don't you call me", "don't stop sending". */
const CONDITION =
  /\b(?:if|why|unless|when|since|because|sorry|sad|surprised)\b[^,;]{0,40}\b(?:not|don['’]?t|dont)\b|\b(?:don['’]?t|never|not) (?:ever )?stop\b/i

/**
 * Whether the own words of a buyer's email ask not to be contacted, in any reasonable way, and through which channels. Limits of time and
 * place, conditions and questions why nobody calls are none. @param text without what is quoted. @returns null if it doesn't say so
 */
export function optOutIn(text: string, subject: string | null = null): OptOut | null {
  const own = text.trim()
  // A lead has its subject in the first line, with an empty one below.
  const lines = own
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 5)
  const first = lines.find((line) => !GREETING.test(line)) ?? ''
  // "Re: STOP" is the subject of an answer to one.
  const alone = [first, subject ?? ''].find((line) => line.length < 60 && ALONE.test(line))
  const sentences = own.slice(0, 20_000).split(/(?<=[.!?;])\s+|\n+/)
  const found = sentences.flatMap((sentence) =>
    CONDITION.test(sentence)
      ? []
      : PHRASES.filter(([words]) => words.test(sentence)).map(([, channels]) => ({ sentence, channels })),
  )
  if (alone === undefined && found.length === 0) return null
  const named = new Set([
    ...(alone === undefined ? [] : ['email']),
    ...found.flatMap(({ channels }) => channels),
  ])
  return {
    channels: CONSENT_CHANNELS.filter((channel) => named.has(channel)),
    words: (alone ?? found[0]?.sentence ?? '').trim().slice(0, 300).toWellFormed(),
  }
}
