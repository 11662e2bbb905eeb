/** What a template can insert, by the word in braces. */
export const ANSWER_VARIABLES = [
  { name: 'firstName', label: "Buyer's first name" },
  { name: 'name', label: "Buyer's full name" },
  { name: 'vehicle', label: 'Vehicle' },
  { name: 'stock', label: 'Stock number' },
  { name: 'price', label: 'Total price with its sentence' },
  { name: 'lot', label: 'Lot' },
  { name: 'salesperson', label: 'Your name' },
  { name: 'appointment', label: 'Time of the appointment' },
] as const
export type AnswerVariable = (typeof ANSWER_VARIABLES)[number]['name']
/** What a lead has for each variable; null if nothing. */
export type AnswerValues = Readonly<Record<AnswerVariable, string | null>>

const WORD = /\{(\w+)\}/g
const isVariable = (word: string): word is AnswerVariable =>
  ANSWER_VARIABLES.some(({ name }) => name === word)

/** The words in braces that are no variable. */
export function unknownVariables(text: string): string[] {
  const words = [...text.matchAll(WORD)].map(([, word = '']) => word)
  return [...new Set(words.filter((word) => !isVariable(word)))]
}

/** The variables that are still in a text. */
export function openVariables(text: string): AnswerVariable[] {
  return [...new Set([...text.matchAll(WORD)].flatMap(([, word = '']) => (isVariable(word) ? [word] : [])))]
}

/** Fills in what the lead has. A variable without a value stays, so that it is seen before the email is sent. */
export function fillTemplate(text: string, values: AnswerValues): string {
  // The replaced values are not read again: a buyer may be called {price}.
  return text.replaceAll(WORD, (whole, word: string) => (isVariable(word) ? (values[word] ?? whole) : whole))
}

/** Why an answer can't be sent: "Replace {price} first. This lead has no value for it." Null if it can. */
export function problemOfAnswer(text: string): string | null {
  const open = openVariables(text)
  if (open.length === 0) return null
  const words = open.map((word) => `{${word}}`).join(' and ')
  return `Replace ${words} first. This lead has no value for ${open.length === 1 ? 'it' : 'them'}.`
}
