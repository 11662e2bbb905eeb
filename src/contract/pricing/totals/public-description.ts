import { findAmount } from './typed-amounts.ts'

/** Where a sentence ends. Lines of a list end one too. */
const SENTENCES = /(?<=[.!?]["”’)]?)[ \t]+(?=[\p{Lu}\d"“(*$-])|(?<=\n)/u
const amountIn = (text: string): string | null => findAmount(text, { mayBeOff: false })

/** Why a person can't save this description: an amount that the price engine didn't calculate. Null if they can. */
export function descriptionFault(description: string | null | undefined): string | null {
  const amount = description == null ? null : amountIn(description)
  return amount === null
    ? null
    : `“${amount}” is typed by hand. Buyers see the price that the price engine calculates, so describe the vehicle without amounts.`
}

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
