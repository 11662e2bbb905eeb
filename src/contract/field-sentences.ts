import type { z } from 'zod'

const words: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/**
 * The issues of a Zod error as one sentence per field, by path. Unknown fields are named too. Of a field that is missing, its
 * own sentence says only of what kind it must be: with `reportInput`, "First name must be text." becomes "First name is required."
 */
export function fieldSentences(error: z.ZodError): Record<string, string> {
  // A map, because a field may be named "constructor".
  const fields = new Map<string, string>()
  const note = (path: PropertyKey[], sentence: string): void => {
    const place = path.map(String).join('.') || 'body'
    if (!fields.has(place)) fields.set(place, sentence)
  }
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) note([...issue.path, key], 'This field is unknown.')
    } else if (isMissing(issue)) note(issue.path, issue.message.replace(/ must be .*$/, ' is required.'))
    else note(issue.path, issue.message)
  }
  return Object.fromEntries(fields)
}

const isMissing = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_type' && 'input' in issue && issue.input === undefined

/** The sentence for an issue without a custom message. Pass it to `safeParse`. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined
      ? 'This is required.'
      : `This must be ${words[issue.expected] ?? issue.expected}.`
  }
  if (issue.code === 'too_big') return `This must ${amount(issue.origin, `at most ${issue.maximum}`)}.`
  if (issue.code === 'too_small') return `This must ${amount(issue.origin, `at least ${issue.minimum}`)}.`
  if (issue.code === 'invalid_value') return `This must be ${issue.values.map(String).join(' or ')}.`
  if (issue.code === 'invalid_union') {
    // Of the choices, the one whose type the value has says what is wrong with it.
    const near = issue.errors.find(([first]) => first !== undefined && first.code !== 'invalid_type')
    return near?.[0]?.message ?? 'This is not an accepted value.'
  }
  return 'This has an invalid format.'
}

function amount(origin: string, bound: string): string {
  if (origin === 'string') return `have ${bound} characters`
  return origin === 'array' || origin === 'set' ? `have ${bound} entries` : `be ${bound}`
}
