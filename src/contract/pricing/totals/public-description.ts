import { findAmount } from './typed-amounts.ts'

/** Where a sentence ends. Lines of a list end one too. */
const SENTENCES = /(?<=[.!?]["”’)]?)[ \t]+(?=[\p{Lu}\d"“(*$-])|(?<=\n)/u
const amountIn = (text: string): string | null => findAmount(text, { mayBeOff: false })

/** The amount that the price engine didn't calculate, of a text that buyers see; null if there is none. */
const namesAmount = (text: string | null | undefined): string | null => (text ? amountIn(text) : null)

const amountInName = (text: string): string | null => findAmount(text, { mayBeOff: false, isName: true })

/** What buyers read of a vehicle that people enter as text. */
export const BUYER_TEXTS = [
  'description',
  'trim',
  'body',
  'color',
  'interiorColor',
  'engine',
  'fuel',
  'transmission',
  'drivetrain',
  'certification',
] as const
type BuyerTexts = { [Name in (typeof BUYER_TEXTS)[number]]?: string | null | undefined } & {
  options?: readonly string[] | undefined
  photos?: readonly Readonly<{ alt: string }>[] | undefined
}

/** Why a person can't save these texts of a vehicle, by field: they name an amount that the price engine didn't calculate. */
export function buyerTextFaults({ options, photos, ...texts }: BuyerTexts): Record<string, string> {
  const found = [
    ...BUYER_TEXTS.map(
      (name) =>
        [name, name === 'description' ? namesAmount(texts[name]) : amountInName(texts[name] ?? '')] as const,
    ),
    ...(options ?? []).map((option) => ['options', namesAmount(option)] as const),
    ...(photos ?? []).map(({ alt }, at) => [`photos.${at}.alt`, namesAmount(alt)] as const),
  ]
  return Object.fromEntries(
    found.flatMap(([name, amount]) => (amount === null ? [] : [[name, amountFault(amount)]])),
  )
}

const amountFault = (amount: string): string =>
  `“${amount}” is typed by hand. Buyers see the price that the price engine calculates, so describe the vehicle without amounts.`

/** Equipment and texts of photos as buyers see them: without those that name an amount. */
export const withoutAmounts = (texts: readonly string[]): string[] =>
  texts.filter((text) => namesAmount(text) === null)

/**
 * A description as buyers see it: without the sentences that name an amount, because feeds can't be refused. Null if nothing is
 * left. `leftOut`: those sentences.
 */
export function publicDescription(description: string | null): { text: string | null; leftOut: string[] } {
  if (description === null || amountIn(description) === null) return { text: description, leftOut: [] }
  const sentences = description.split(SENTENCES)
  const leftOut = sentences.filter((sentence) => amountIn(sentence) !== null)
  const text = sentences
    .filter((sentence) => !leftOut.includes(sentence))
    .map((sentence) => (/\s$/.test(sentence) ? sentence : `${sentence} `))
    .join('')
    .trim()
  // Read on from one sentence to the next: "Only $" above "9,999".
  if (amountIn(text) !== null) return { text: null, leftOut: [description] }
  return { text: text === '' ? null : text, leftOut: leftOut.map((sentence) => sentence.trim()) }
}
