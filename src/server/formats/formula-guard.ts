/** What starts a formula, including full-width characters; some programs skip a leading tab or line break. */
const STARTS = '=+\\-@\\t\\r\\n\uFF1D\uFF0B\uFF0D\uFF20'
/** Right after any separator that another program could use. */
const AFTER_SEPARATOR = '(?<=[,;|\\t\\r\\n])'
/** Some programs skip spaces. At most 100, so that a text of spaces is read once. */
const BEFORE = "[\\s']{0,100}"

/** Text with apostrophes already gets one more, so that `natural` gives back the text as it was. */
const DANGEROUS = new RegExp(`^(?=${BEFORE}[${STARTS}])|${AFTER_SEPARATOR}(?='{0,100}[${STARTS}])`, 'g')
const GUARDED = new RegExp(`^'(?=${BEFORE}[${STARTS}])|${AFTER_SEPARATOR}'(?='{0,100}[${STARTS}])`, 'g')

/** Text that no spreadsheet evaluates: what would read as a formula is prefixed with an apostrophe. */
export function neutral(text: string): string {
  return text.replace(DANGEROUS, "'")
}

/** The text that `neutral` was given: for files that the product both writes and reads. */
export function natural(text: string): string {
  return text.replace(GUARDED, '')
}
