import { MAX_FILES } from '#contract/questions/limits.ts'
import type { QuestionOf } from '#contract/questions/definition.ts'

/** Of one file of a form: visitors send photos and scanned documents, often from a phone. */
export const MAX_FORM_FILE_MB = 10
export const MAX_FORM_FILE_BYTES = MAX_FORM_FILE_MB * 2 ** 20
/** Of all files of one page. */
export const MAX_FORM_FILES = 10

/** The most files that a question of a form accepts. */
export const mostFiles = ({ maxFiles = MAX_FILES }: QuestionOf<'file'>): number =>
  Math.max(1, Math.min(maxFiles, MAX_FORM_FILES))
