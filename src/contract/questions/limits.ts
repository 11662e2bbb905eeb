/**
 * Limits of definitions and answers, so that neither can keep the server busy: evaluating a definition that reaches
 * all of them takes a few milliseconds.
 */
export const MAX_LANGUAGES = 12
export const MAX_EDITIONS = 12
export const MAX_SECTIONS = 60
export const MAX_QUESTIONS = 500
/** Of one question. */
export const MAX_CHOICES = 300
export const MAX_MATRIX_ROWS = 60
export const MAX_COLUMNS = 20
export const MAX_TABLE_ROWS = 200
export const MAX_FILES = 20
export const MAX_FILE_BYTES = 25 * 1024 * 1024
export const MAX_RATING = 10
/** Characters of a code, a section's ID and the value of a choice. */
export const MAX_CODE = 60
/** Characters of a title or a choice. */
export const MAX_TITLE = 500
/** Characters of a help text, a note or a consent. */
export const MAX_TEXT = 10_000
/** Characters of an answer on one line. */
export const MAX_LINE = 500
/** Characters of an answer with several lines. */
export const MAX_LONG_TEXT = 20_000
/** Digits of a number before and after the decimal point. */
export const MAX_WHOLE_DIGITS = 15
export const MAX_DECIMALS = 10
/** Questions of which one must be answered. */
export const MAX_ONE_OF = 10
/** Unknown questions that are named; a request with more is not a mistake. */
export const MAX_UNKNOWN = 20
/** Characters of all rules of a definition. */
export const MAX_RULES = 100_000
/** Faulty rules that are reported at once, because finding a suggestion for a wrong name takes time. */
export const MAX_RULE_FAULTS = 20
