import type { AdfElement, AdfExtension, AdfId } from './adf-lead.ts'
import { ADF_LIMITS } from './adf-values.ts'
import { adfWarning, type AdfWarning, type AdfWarningCode } from './adf-warnings.ts'

/** Collects what is found in one prospect besides its fields. */
export type AdfReading = {
  warnings: AdfWarning[]
  extensions: AdfExtension[]
  /** Adds a warning, each of the same text once. */
  warn: (code: AdfWarningCode, value?: string) => void
}

export function newReading(): AdfReading {
  const warnings: AdfWarning[] = []
  return {
    warnings,
    extensions: [],
    warn(code, value) {
      const warning = adfWarning(code, value)
      const isKnown = warnings.some(({ message }) => message === warning.message)
      if (!isKnown && warnings.length < ADF_LIMITS.warnings) warnings.push(warning)
    },
  }
}

/** The children of an element by what a reader takes of them. What remains at the end is unknown to ADF. */
export type Children = {
  /** All children of a name, with at most `ADF_LIMITS.list`. */
  all: (name: string) => AdfElement[]
  /** The first child of a name. Warns about others. */
  one: (name: string) => AdfElement | null
  /** The text of the first child of a name as one line; null if it is empty. */
  line: (name: string) => string | null
  /** Like `line`, with line breaks. */
  text: (name: string) => string | null
  /** Keeps the children that nothing has taken as extensions. */
  keepRest: (at: string) => void
}

export function childrenOf(element: AdfElement, reading: AdfReading): Children {
  const taken = new Set<string>()
  const named = (name: string): AdfElement[] => {
    taken.add(name)
    return element.children.filter((child) => child.name === name)
  }
  const one = (name: string): AdfElement | null => {
    const found = named(name)
    const filled = found.filter((child) => !isEmpty(child))
    if (filled.length > 1) reading.warn('repeatedElement', name)
    return filled[0] ?? found[0] ?? null
  }
  return {
    all(name) {
      const found = named(name)
      if (found.length > ADF_LIMITS.list) reading.warn('tooManyEntries', `elements "${name}"`)
      return found.slice(0, ADF_LIMITS.list)
    },
    one,
    line: (name) => lineOf(one(name), reading),
    text: (name) => textOf(one(name), reading),
    keepRest(at) {
      for (const child of element.children) {
        if (taken.has(child.name) || isEmpty(child)) continue
        if (reading.extensions.length >= ADF_LIMITS.extensions) {
          reading.warn('tooManyEntries', 'other information')
          return
        }
        reading.warn('unknownElement', at === 'prospect' ? child.name : `${at}/${child.name}`)
        reading.extensions.push({ at, element: bounded(child, reading) })
      }
    },
  }
}

const isEmpty = ({ text, attributes, children }: AdfElement): boolean =>
  text.trim() === '' && children.length === 0 && Object.keys(attributes).length === 0

/** The text of an element as one line, without the spaces around it; null if it is empty. */
export function lineOf(element: AdfElement | null, reading: AdfReading): string | null {
  return element === null ? null : line(element.text, { name: element.name, reading })
}

/** The text of an element with its line breaks. */
export function textOf(element: AdfElement | null, reading: AdfReading): string | null {
  if (element === null) return null
  const text = element.text.replace(/\r\n?/g, '\n').trim()
  return cut(text, { name: element.name, length: ADF_LIMITS.text, reading })
}

/** An attribute as one line. */
export function attributeOf(element: AdfElement, name: string, reading: AdfReading): string | null {
  return line(element.attributes[name] ?? '', { name, reading })
}

/**
 * An attribute with a fixed list of values, in any case.
 * @returns `standard` if it is missing, empty or unknown; the last with a warning
 */
export function choiceOf<const V extends string, D extends V | null>(
  element: AdfElement,
  {
    name,
    values,
    standard,
    reading,
  }: { name: string; values: readonly V[]; standard: D; reading: AdfReading },
): V | D {
  const given = attributeOf(element, name, reading)
  return given === null ? standard : choose(given, { name, values, standard, reading })
}

/** The value of a list that a text names. */
export function choose<const V extends string, D extends V | null>(
  given: string,
  {
    name,
    values,
    standard,
    reading,
  }: { name: string; values: readonly V[]; standard: D; reading: AdfReading },
): V | D {
  const found = values.find((value) => value === given.toLowerCase())
  if (found === undefined) reading.warn('unknownValue', `"${given}" for ${name}`)
  return found ?? standard
}

/** Warns about attributes that ADF doesn't have. */
export function warnOfAttributes(
  { name, attributes }: AdfElement,
  known: readonly string[],
  reading: AdfReading,
): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (!known.includes(key)) reading.warn('unknownAttribute', `${key}="${value}" of "${name}"`)
  }
}

/** The IDs that have a value. */
export function idsOf(elements: readonly AdfElement[], reading: AdfReading): AdfId[] {
  return elements.flatMap((element) => {
    const value = lineOf(element, reading)
    if (value === null) {
      reading.warn('idEmpty')
      return []
    }
    const source = attributeOf(element, 'source', reading)
    return [{ value, source, sequence: attributeOf(element, 'sequence', reading) }]
  })
}

function line(text: string, { name, reading }: { name: string; reading: AdfReading }): string | null {
  return cut(text.replace(/\s+/g, ' ').trim(), { name, length: ADF_LIMITS.line, reading })
}

function cut(
  text: string,
  { name, length, reading }: { name: string; length: number; reading: AdfReading },
): string | null {
  if (text === '') return null
  if (text.length <= length) return text
  reading.warn('textCut', name)
  // Not between the two halves of a character.
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()
}

/** An unknown element with everything in it, its texts cut. */
function bounded({ name, attributes, text, children }: AdfElement, reading: AdfReading): AdfElement {
  return {
    name,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, line(value, { name: key, reading }) ?? '']),
    ),
    text: textOf({ name, attributes, text, children }, reading) ?? '',
    children: children.slice(0, ADF_LIMITS.list).map((child) => bounded(child, reading)),
  }
}
