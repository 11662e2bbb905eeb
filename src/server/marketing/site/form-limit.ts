/** Characters of the names and values of a submitted form: more than the texts that a form may allow (`MAX_FORM_TEXT`). */
export const FORM_CHARACTERS = 262_144
/** Bytes of a submitted form without files. An encoded character takes up to nine: three bytes in UTF-8, each as `%E4`. */
export const FORM_LIMIT = 9 * FORM_CHARACTERS
/** Fields of a form: a table has many. Reading as many takes some 20 ms, beside what the form itself takes (`npm run parse-figures`). */
export const MAX_FORM_FIELDS = 5_000

/** The fields of a form without files; null if it has too many, or too many characters. */
export function readFormFields(text: string): URLSearchParams | null {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) fields += 1
  if (fields > MAX_FORM_FIELDS) return null
  const body = new URLSearchParams(text)
  let characters = 0
  for (const [name, value] of body) characters += name.length + value.length
  return characters > FORM_CHARACTERS ? null : body
}
