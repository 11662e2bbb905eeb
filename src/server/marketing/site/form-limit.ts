/** Bytes of a submitted form without files. */
export const FORM_LIMIT = 262_144
/** Fields of a form: a table has many. Reading as many takes some 20 ms, beside what the form itself takes (`npm run parse-figures`). */
export const MAX_FORM_FIELDS = 5_000

/** The fields of a form without files; null if it has too many. */
export function readFormFields(text: string): URLSearchParams | null {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) fields += 1
  return fields > MAX_FORM_FIELDS ? null : new URLSearchParams(text)
}
