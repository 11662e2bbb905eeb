import { findAmount } from '#contract/pricing/totals/typed-amounts.ts'

/** What an email claims has to follow from these. */
export type ClaimFacts = Readonly<{
  /** How many vehicles the email shows. */
  vehicles: number
  /** The last days of its promo page and of the price rules of its vehicles, such as 2026-12-31. */
  lastDays: readonly string[]
  /** The total prices of its vehicles, in cents. */
  totals: readonly number[]
}>

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const NAMED_DATE =
  /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?!\s*(?:%|mi|miles))/giu
const NUMBER_DATE = /\b(\d{1,2})\/(\d{1,2})(?:\/\d{2,4})?\b/gu
const VAGUE_DATE =
  /\b(today|tonight|tomorrow|this (?:week|weekend|month)|ends? soon|hours? left|days? left)\b/iu
const ONLY = /\bonly\s+(\d+|one|two|three|four|five|six)\b(?!\s*(?:%|hours?|days?))/iu
const LAST = /\b(last|final)\b/iu
const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 }

/**
 * What subject, headline and text claim and nothing proves: a date that isn't the last day of anything, "last" for several vehicles,
 * "only 3" for another number, and an amount that no price engine calculated. Each is a sentence.
 */
export function lintClaims(text: string, facts: ClaimFacts): string[] {
  return [...datesIn(text, facts), ...countsIn(text, facts), ...amountsIn(text, facts)]
}

function datesIn(text: string, { lastDays }: ClaimFacts): string[] {
  const known = new Set(lastDays.map((day) => day.slice(5)))
  const named = [...text.matchAll(NAMED_DATE)].map(([says, month = '', day = '']) => ({
    says,
    at: `${pad(MONTHS.findIndex((one) => month.toLowerCase().startsWith(one)) + 1)}-${pad(Number(day))}`,
  }))
  const numbered = [...text.matchAll(NUMBER_DATE)].map(([says, month = '', day = '']) => ({
    says,
    at: `${pad(Number(month))}-${pad(Number(day))}`,
  }))
  const wrong = [...named, ...numbered].filter(({ at }) => !known.has(at))
  const vague = VAGUE_DATE.exec(text)
  return [
    ...wrong.map(
      ({ says }) =>
        `“${says.trim()}” isn't the last day of the promo page, or of a price rule of these vehicles. Use their last day, or remove the date.`,
    ),
    ...(vague === null
      ? []
      : [
          `“${vague[0]}” means another day for everyone who reads the email later. Name the last day instead.`,
        ]),
  ]
}

function countsIn(text: string, { vehicles }: ClaimFacts): string[] {
  const only = ONLY.exec(text)
  const [, digits = ''] = only ?? []
  const claimed = COUNTS[digits.toLowerCase()] ?? Number(digits)
  const last = LAST.exec(text)
  return [
    ...(only !== null && claimed !== vehicles
      ? [
          `“${only[0]}” doesn't match the ${vehicles === 1 ? '1 vehicle' : `${vehicles} vehicles`} in the email.`,
        ]
      : []),
    ...(last !== null && vehicles !== 1
      ? [`“${last[0]}” can only be said about one vehicle. The email shows ${vehicles}.`]
      : []),
  ]
}

function amountsIn(text: string, { totals }: ClaimFacts): string[] {
  const amount = findAmount(text, { mayBeOff: false })
  if (amount === null) return []
  const cents = Math.round(Number(amount.replaceAll(/[^\d.]/g, '')) * 100)
  return totals.includes(cents)
    ? []
    : [
        `“${amount}” is typed by hand, and isn't the total price of a vehicle in the email. Prices come from the price engine.`,
      ]
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** What a text may have of its reader, in double braces. */
export const CAMPAIGN_VARIABLES = [
  { name: 'firstName', what: 'First name of the reader, otherwise “there”' },
  { name: 'lot', what: 'Name of the lot' },
  { name: 'company', what: 'Name of the company' },
] as const
export type CampaignVariable = (typeof CAMPAIGN_VARIABLES)[number]['name']

const BRACES = /\{\{\s*([^{}]*?)\s*\}\}/gu

/** The variables of a text that nothing fills. */
export function unknownVariables(text: string): string[] {
  const names: readonly string[] = CAMPAIGN_VARIABLES.map(({ name }) => name)
  return [...new Set([...text.matchAll(BRACES)].map(([, name = '']) => name))].filter(
    (name) => !names.includes(name),
  )
}

/** A text with its variables filled. */
export function fillVariables(text: string, values: Readonly<Record<CampaignVariable, string>>): string {
  const known: Readonly<Record<string, string>> = values
  return text.replaceAll(BRACES, (whole, name: string) => known[name] ?? whole)
}
