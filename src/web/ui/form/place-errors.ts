import { isRecord } from '#web/api/read-json.ts'

type Placed = {
  /** Sentences by the field that shows them. */
  fields: Record<string, string>
  /** Sentences about something that this form does not show. */
  rest: string[]
}

/**
 * Finds the field of a form for each sentence that a check or the server wrote about a path. A payload may lie one
 * level deeper than the form (`user.email` is the field `email`), and a list of words is one field (`makes.3` is
 * `makes`); rows of a list keep their path (`contacts.0.email`).
 */
export function placeErrors(
  sentences: Readonly<Record<string, string>>,
  values: Readonly<Record<string, unknown>>,
): Placed {
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

/** Goes down as far as the values do; null where what is left is no field. */
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
