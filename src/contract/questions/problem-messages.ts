/** The standard messages by language. `{n}` and the like are filled in. Texts of an author take precedence. */
const ENGLISH = {
  required: 'Answer this question.',
  consentRequired: 'Select the box to continue.',
  check: "This answer doesn't fit the others. Check it.",
  unknown: 'This form has no question "{code}".',
  notAsked: "This question isn't asked with the answers you gave.",
  notAnswerable: "This can't be answered.",
  wrongType: "This isn't a valid answer.",
  character: 'Remove the special characters or line breaks.',
  tooLong: 'Use at most {n} characters.',
  tooShort: 'Use at least {n} characters.',
  notANumber: 'Enter a number, like 1500 or 0.25.',
  tooManyDecimals: 'Use at most {n} decimals.',
  wholeNumber: 'Enter a whole number.',
  tooSmall: 'Enter {n} or more.',
  tooLarge: 'Enter {n} or less.',
  notADate: 'Enter a date.',
  tooEarly: 'Enter {n} or a later date.',
  tooLate: 'Enter {n} or an earlier date.',
  notAChoice: 'Choose one of the options.',
  otherRequired: 'Describe your choice.',
  duplicateChoice: 'Choose each option only once.',
  tooFewChoices: 'Choose at least {n}.',
  tooManyChoices: 'Choose at most {n}.',
  rating: 'Choose a rating from 1 to {n}.',
  email: 'Enter an email address, like name@example.com.',
  phone: 'Enter a phone number with its area code.',
  url: 'Enter a web address, like www.example.com.',
  vin: 'Enter the 17 characters of the VIN. It has no I, O or Q.',
  postalCode: 'Enter a valid ZIP or postal code.',
  country: 'Enter the two letters of the country, like US.',
  consentChanged: 'This text has changed. Read it again.',
  computedChanged: "This value is calculated and can't be changed.",
  computedTooLarge: 'The calculated number is too large. Check the numbers it is calculated from.',
  notRefusable: 'This question needs an answer.',
  reasonRequired: 'Enter a reason.',
  matrixIncomplete: 'Answer every row.',
  tooFewRows: 'Add at least {n} rows.',
  tooManyRows: 'Use at most {n} rows.',
  tooManyFiles: 'Add at most {n} files.',
  fileType: "Files of this type aren't accepted.",
  fileTooLarge: 'This file is too large: at most {n} MB.',
  nameRequired: 'Enter a name.',
} as const

/** Why an answer is refused. */
export type ProblemCode = keyof typeof ENGLISH

const MESSAGES = new Map<string, Readonly<Record<ProblemCode, string>>>([['en', ENGLISH]])

/** The standard message in a language (`es`, `es-MX`), otherwise in English. */
export function problemMessage(code: ProblemCode, language: string, fill: string | number = ''): string {
  const [base = ''] = language.split('-')
  const messages = MESSAGES.get(language) ?? MESSAGES.get(base) ?? ENGLISH
  return messages[code].replace(/\{\w+\}/, () => String(fill))
}
