import type { AdfElement, AdfExtension, AdfId, AdfRest } from './adf-lead.ts'
import {
  ADF_ADDRESS_TYPES,
  ADF_AMOUNT_LIMITS,
  ADF_AMOUNT_TYPES,
  ADF_BALANCE_TYPES,
  ADF_LIMITS,
  ADF_ODOMETER_UNITS,
  ADF_PHONE_TIMES,
  ADF_PHONE_TYPES,
  ADF_PRICE_TYPES,
} from './adf-values.ts'
import { adfWarning, type AdfWarning, type AdfWarningCode } from './adf-warnings.ts'

/** Collects what is found in one prospect besides its fields. */
export type AdfReading = {
  warnings: AdfWarning[]
  extensions: AdfExtension[]
  /** Adds a warning, each of the same text once. */
  warn: (code: AdfWarningCode, value?: string) => void
  /** The parts of elements that a field holds now: names of attributes, and '' for the text. */
  used: Map<AdfElement, Set<string>>
}

/** Notes that a field holds this part of an element: an attribute, or '' for its text. */
export function markUsed({ used }: AdfReading, element: AdfElement, part: string): void {
  const parts = used.get(element) ?? new Set()
  used.set(element, parts.add(part))
}

/** Takes that back: the value is kept among the rest. */
export function markUnused({ used }: AdfReading, element: AdfElement, part: string): void {
  used.get(element)?.delete(part)
}

/** Takes it back for a whole element that was read and isn't kept. */
export function forget(reading: AdfReading, element: AdfElement): void {
  reading.used.delete(element)
  for (const child of element.children) forget(reading, child)
}

/**
 * Every value of an element that no field holds. This is what makes sure that nothing is lost: a reader can forget to ask for a
 * part, and it is here.
 * @param at the names of the elements above
 * @param leaves elements that are left out
 */
export function restOf(
  element: AdfElement,
  { at, reading, leaves }: { at: string; reading: AdfReading; leaves?: ReadonlySet<AdfElement> },
): AdfRest[] {
  if (leaves?.has(element) === true) return []
  const used = reading.used.get(element)
  const own = at === '' ? element.name : `${at}/${element.name}`
  const text = element.text.trim()
  const isEmptyElement = text === '' && element.children.length === 0
  return [
    ...Object.entries(element.attributes).flatMap(([attribute, value]): AdfRest[] =>
      value.trim() === '' ||
      used?.has(attribute) === true ||
      TECHNICAL.has(attribute) ||
      (isEmptyElement && isKindOnly(attribute, value))
        ? []
        : [{ at: own, attribute, value: value.trim() }],
    ),
    ...(text === '' || used?.has('') === true ? [] : [{ at: own, attribute: null, value: text }]),
    ...element.children.flatMap((child) =>
      restOf(child, { at: own, reading, leaves: leaves ?? NO_ELEMENTS }),
    ),
  ]
}

const NO_ELEMENTS: ReadonlySet<AdfElement> = new Set()
/** Attributes of XML itself. */
const TECHNICAL = new Set(['xmlns', 'schemalocation', 'nonamespaceschemalocation'])

/** Whether an attribute only says what kind of value would be here, such as `<phone type="fax"/>`. */
const isKindOnly = (attribute: string, value: string): boolean =>
  KINDS.get(attribute)?.test(value.trim()) ?? false
const anyOf = (...values: readonly string[]): RegExp => new RegExp(`^(?:${values.join('|')})$`, 'i')
const KINDS: ReadonlyMap<string, RegExp> = new Map([
  ['part', /^(?:full|first|middle|last|surname|suffix)$/i],
  [
    'type',
    anyOf(
      'individual',
      'business',
      ...ADF_PHONE_TYPES,
      ...ADF_PRICE_TYPES,
      ...ADF_AMOUNT_TYPES,
      ...ADF_ADDRESS_TYPES,
      ...ADF_BALANCE_TYPES,
    ),
  ],
  ['time', anyOf(...ADF_PHONE_TIMES)],
  ['limit', anyOf(...ADF_AMOUNT_LIMITS)],
  ['currency', /^[A-Z]{3}$/],
  ['units', anyOf(...ADF_ODOMETER_UNITS)],
  ['line', /^\d$/],
  ['sequence', /^\d$/],
  ['preferredcontact', /^[01]$/],
  ['primarycontact', /^[01]$/],
])

/** Keeps what no field holds, within the limits; what is beyond them is named in a warning. */
export function keepRest(found: readonly AdfRest[], { warn }: AdfReading): AdfRest[] {
  const kept: AdfRest[] = []
  let length = 0
  for (const one of found) {
    const value = one.value.slice(0, ADF_LIMITS.text).replace(/[\uD800-\uDBFF]$/, '')
    if (value.length < one.value.length) warn('textCut', one.attribute ?? one.at)
    length += value.length
    if (kept.length >= ADF_LIMITS.rest || length > ADF_LIMITS.restText) {
      warn('tooManyEntries', 'other information')
      return kept
    }
    kept.push({ ...one, value })
  }
  return kept
}

export function newReading(): AdfReading {
  const warnings: AdfWarning[] = []
  return {
    warnings,
    extensions: [],
    used: new Map(),
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
  /** Like `line`; null also for what stands in for a missing value, such as "N/A". */
  fact: (name: string) => string | null
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
    fact: (name) => factOf(one(name), reading),
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
  return element === null ? null : line(element.text, { element, part: '', reading })
}

/** Like `lineOf`; null also for what stands in for a missing value, such as "N/A". That is kept among the rest. */
export function factOf(element: AdfElement | null, reading: AdfReading): string | null {
  const value = lineOf(element, reading)
  if (element === null || value === null || !isNoValue(value)) return value
  reading.warn('placeholder', `"${value}" for ${element.name}`)
  markUnused(reading, element, '')
  return null
}

/** Texts that stand in for a missing value. Not "NA" or "Null", which are names of people. */
const isNoValue = (text: string): boolean =>
  /^(?:n\.?\s?\/\s?a\.?|none|null|NULL|[-.?_*]+|unknown|undefined|not (?:available|specified|applicable|provided|given|known)|no (?:name|email|phone)|tb[ad])$/.test(
    /^(?:Null|NULL)$/.test(text) ? text : text.toLowerCase(),
  )

/** The text of an element with its line breaks. */
export function textOf(element: AdfElement | null, reading: AdfReading): string | null {
  if (element === null) return null
  const text = element.text.replace(/\r\n?/g, '\n').trim()
  return cut(text, { element, part: '', length: ADF_LIMITS.text, reading })
}

/** An attribute as one line. */
export function attributeOf(element: AdfElement, name: string, reading: AdfReading): string | null {
  return line(element.attributes[name] ?? '', { element, part: name, reading })
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
  if (given === null) return standard
  if (!values.some((value) => value === given.toLowerCase())) markUnused(reading, element, name)
  return choose(given, { name, values, standard, reading })
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

/** Whose text it is: `part` is the name of an attribute, or '' for the element's own. */
type Part = { element: AdfElement; part: string; reading: AdfReading }

function line(text: string, of: Part): string | null {
  return cut(text.replace(/\s+/g, ' ').trim(), { ...of, length: ADF_LIMITS.line })
}

/** What is cut is kept whole among the rest. */
function cut(text: string, { element, part, length, reading }: Part & { length: number }): string | null {
  if (text === '') return null
  if (text.length <= length) {
    markUsed(reading, element, part)
    return text
  }
  reading.warn('textCut', part === '' ? element.name : part)
  // Not between the two halves of a character.
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()
}

/** An unknown element with everything in it. What is cut here is kept whole among the rest. */
function bounded(element: AdfElement, reading: AdfReading): AdfElement {
  const { name, attributes, children } = element
  return {
    name,
    attributes: Object.fromEntries(
      Object.keys(attributes).map((key) => [key, attributeOf(element, key, reading) ?? '']),
    ),
    text: textOf(element, reading) ?? '',
    children: children.slice(0, ADF_LIMITS.list).map((child) => bounded(child, reading)),
  }
}
