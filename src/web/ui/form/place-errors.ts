import { isRecord } from '#web/api/read-json.ts'

type PlacedErrors = {
  /** Error messages by form field. */
  fields: Record<string, string>
  /** Error messages for values this form doesn't show. */
  rest: string[]
}

/**
 * Finds the form field for each error path. A payload may be nested one level deeper than the form (`user.email` is
 * the field `email`), and a list of words is one field (`makes.3` is `makes`); rows of a list keep their path
 * (`contacts.0.email`).
 */
export function placeErrors(
  sentences: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): PlacedErrors {
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const [path, sentence] of Object.entries(sentences)) {
    const place = placeOf(path.split('.'), values)
    if (place === null) rest.push(sentence)
    else fields[place] ??= sentence
  }
  return { fields, rest }
}

function placeOf(path: readonly string[], values: Readonly<Record<string, unknown>>): string | null {
  const starts = path.map((_, start) => path.slice(start))
  const inside = starts.find(([first = '']) => Object.hasOwn(values, first))
  return inside ? walk(inside, values) : null
}

/** Follows the path as deep as the form values go; null if it leads to no field. */
function walk(path: readonly string[], values: Readonly<Record<string, unknown>>): string | null {
  let value: unknown = values
  let list: string | null = null
  for (const [depth, name] of path.entries()) {
    if (Array.isArray(value)) {
      const item: unknown = value[Number(name)]
      if (!isRecord(item)) return list
      value = item
    } else if (isRecord(value) && Object.hasOwn(value, name)) {
      value = value[name]
      if (Array.isArray(value)) list = path.slice(0, depth + 1).join('.')
    } else return list
  }
  return isRecord(value) ? list : path.join('.')
}
