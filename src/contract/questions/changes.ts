import type { Definition, Question, QuestionType, Section } from './definition.ts'
import { groupAround } from './one-of.ts'
import { OBLIGATION_NAMES } from './obligations.ts'
import { textIn, type Texts } from './texts.ts'

/**
 * What happens to answers that exist. `kept`: they stay valid. `review`: some may not be valid any more. `unused`:
 * the question is gone, so they no longer count.
 */
export type ChangeEffect = 'kept' | 'review' | 'unused'

/** A difference between two versions of a definition. */
export type DefinitionChange = Readonly<{
  kind: 'added' | 'removed' | 'moved' | 'type' | 'choices' | 'text' | 'rule' | 'setting' | 'consent' | 'score'
  /** The ID of the section, in the newer version if it is there. */
  section: string | null
  /** The code of the question, or null for a change of a section or the whole definition. */
  question: string | null
  /** For the author: "Mileage: required instead of voluntary." */
  message: string
  effect: ChangeEffect
}>

/**
 * The differences of two versions, in the order of the newer one, then what was removed. Sections are matched by ID
 * and questions by code, so a renamed question keeps its answers and one with a new code is another question.
 */
export function compareDefinitions(before: Definition, after: Definition): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  const name = namer(before, after)
  const formerSections = new Map(before.sections.map((section) => [section.id, section]))
  const former = placesOf(before)
  compareLanguages(before, after, changes)
  compareEditions(before, after, changes)
  if (
    isReordered(
      before.sections.map(({ id }) => id),
      after.sections.map(({ id }) => id),
    )
  ) {
    changes.push({
      kind: 'moved',
      section: null,
      question: null,
      message: 'Sections: reordered.',
      effect: 'kept',
    })
  }
  for (const section of after.sections) {
    const other = formerSections.get(section.id)
    const add = adder(changes, section.id, null, `Section “${name(section)}”`)
    if (other === undefined) add('added', 'added', 'kept')
    else compareSection(other, section, add)
    for (const question of section.questions) {
      const place = former.get(question.code)
      const addFor = adder(changes, section.id, question.code, name(question))
      if (place === undefined) addFor('added', 'added', 'kept')
      else compareQuestion(place, { question, section }, { add: addFor, name })
    }
  }
  const current = placesOf(after)
  for (const { question, section } of former.values()) {
    if (current.has(question.code)) continue
    adder(changes, section.id, question.code, name(question))('removed', 'removed', 'unused')
  }
  const ids = new Set(after.sections.map(({ id }) => id))
  for (const section of before.sections) {
    if (!ids.has(section.id))
      adder(changes, section.id, null, `Section “${name(section)}”`)('removed', 'removed', 'kept')
  }
  return changes
}

/** The codes of consents whose text or purpose changed without a new version. Publishing must refuse them. */
export function consentsWithoutNewVersion(before: Definition, after: Definition): string[] {
  const former = placesOf(before)
  return after.sections.flatMap(({ questions }) =>
    questions.flatMap((question) => {
      const other = former.get(question.code)?.question
      if (question.type !== 'consent' || other?.type !== 'consent') return []
      const isSame =
        isEqual(question.text, other.text) &&
        question.purpose === other.purpose &&
        isEqual(question.channels.toSorted(), other.channels.toSorted())
      return isSame || question.version > other.version ? [] : [question.code]
    }),
  )
}

/** The same as an error of the draft; empty if there is none, or nothing was published before. */
export function silentConsents(published: Definition | undefined, draft: Definition): Record<string, string> {
  const changed = published === undefined ? [] : consentsWithoutNewVersion(published, draft)
  if (changed.length === 0) return {}
  return {
    draft: `The text of ${changed.join(', ')} changed. Give it a new version, so that there is a record of what people agreed to.`,
  }
}

type PlacedQuestion = Readonly<{ question: Question; section: Section }>
type Add = (kind: DefinitionChange['kind'], what: string, effect: ChangeEffect) => void
type Namer = (named: { title: Texts; code?: string; id?: string }) => string

function placesOf({ sections }: Definition): Map<string, PlacedQuestion> {
  return new Map(
    sections.flatMap((section) =>
      section.questions.map((question): [string, PlacedQuestion] => [question.code, { question, section }]),
    ),
  )
}

function adder(changes: DefinitionChange[], section: string, question: string | null, name: string): Add {
  return (kind, what, effect) =>
    changes.push({ kind, section, question, message: `${name}: ${what}.`, effect })
}

/** Titles in the default language of the newer version; otherwise the code. */
function namer(before: Definition, after: Definition): Namer {
  const languages = [...after.languages, ...before.languages]
  return ({ title, code, id }) => textIn(title, languages[0] ?? '', languages) || code || id || ''
}

function compareLanguages(before: Definition, after: Definition, changes: DefinitionChange[]): void {
  const added = after.languages.filter((one) => !before.languages.includes(one))
  const removed = before.languages.filter((one) => !after.languages.includes(one))
  const add = (what: string) =>
    changes.push({
      kind: 'setting',
      section: null,
      question: null,
      message: `Languages: ${what}.`,
      effect: 'kept',
    })
  if (added.length > 0) add(`${added.join(', ')} added`)
  if (removed.length > 0) add(`${removed.join(', ')} removed`)
  const [main = ''] = after.languages
  if (main !== before.languages[0]) add(`${main} is the default instead of ${before.languages[0] ?? 'none'}`)
}

function compareEditions(before: Definition, after: Definition, changes: DefinitionChange[]): void {
  if (isEqual(before.editions ?? [], after.editions ?? [])) return
  changes.push({
    kind: 'setting',
    section: null,
    question: null,
    message: 'Editions: changed.',
    effect: 'kept',
  })
}

function compareSection(before: Section, after: Section, add: Add): void {
  compareTexts(before.title, after.title, 'title', add)
  compareTexts(before.description, after.description, 'description', add)
  compareRule(before.visibleIf, after.visibleIf, 'shown if', add)
  const [codes, others] = [before, after].map(({ questions }) => questions.map(({ code }) => code))
  if (isReordered(codes ?? [], others ?? [])) add('moved', 'questions reordered', 'kept')
}

function compareQuestion(
  before: PlacedQuestion,
  after: PlacedQuestion,
  { add, name }: { add: Add; name: Namer },
): void {
  const one = before.question
  const other = after.question
  if (before.section.id !== after.section.id) {
    add('moved', `moved from “${name(before.section)}” to “${name(after.section)}”`, 'kept')
  }
  if (one.type !== other.type) {
    const effect = isReadable(one.type, other.type) ? 'kept' : 'review'
    add('type', `type changed from ${TYPES[one.type]} to ${TYPES[other.type]}`, effect)
  }
  compareTexts(one.title, other.title, 'title', add)
  compareTexts(one.help, other.help, 'help text', add)
  compareTexts(one.messages?.required, other.messages?.required, 'message if not answered', add)
  compareTexts(one.messages?.check, other.messages?.check, 'message of the check', add)
  compareRule(one.visibleIf, other.visibleIf, 'shown if', add)
  compareRule(one.requiredIf, other.requiredIf, 'required if', add, 'review')
  compareRule(one.check, other.check, 'check', add, 'review')
  const [was, is] = [one.obligation ?? 'voluntary', other.obligation ?? 'voluntary']
  if (was !== is)
    add(
      'setting',
      `${OBLIGATION_NAMES[is]} instead of ${OBLIGATION_NAMES[was]}`,
      is === 'voluntary' ? 'kept' : 'review',
    )
  compareGroups(before, after, { add, name })
  if (!isEqual(one.obligations ?? [], other.obligations ?? []))
    add('setting', 'required in other editions or sizes', 'review')
  if (one.type === other.type) compareDetails(one, other, add, name)
}

/** The questions of which one must be answered. With a question more, no answer becomes invalid. */
function compareGroups(
  before: PlacedQuestion,
  after: PlacedQuestion,
  { add, name }: { add: Add; name: Namer },
): void {
  if (before.question.oneOf === undefined && after.question.oneOf === undefined) return
  const codesOf = (group: readonly Question[]) => group.map(({ code }) => code)
  const is = groupAround(after.section.questions, after.question)
  const former = codesOf(groupAround(before.section.questions, before.question))
  const current = codesOf(is)
  if (isEqual(former.toSorted(), current.toSorted()) && before.question.oneOf === after.question.oneOf) return
  if (after.question.oneOf === undefined) {
    add('setting', 'no longer one of several of which one must be answered', 'kept')
    return
  }
  const isWider = before.question.oneOf !== undefined && former.every((code) => current.includes(code))
  const effect = isWider ? 'kept' : 'review'
  add('setting', `one of these must be answered: ${is.map(name).join(', ')}`, effect)
}

/** The properties that one type of question has. */
function compareDetails(before: Question, after: Question, add: Add, name: Namer): void {
  const [former, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  for (const [key, label] of SETTINGS) {
    const [was, is] = [show(former.get(key)), show(current.get(key))]
    if (was !== is)
      add('setting', `${label} ${is ?? 'removed'}${was === null ? '' : ` instead of ${was}`}`, effectOf(key))
  }
  if ('choices' in before && 'choices' in after)
    compareParts(before.choices, after.choices, 'choice', add, name)
  if (before.type === 'matrix' && after.type === 'matrix')
    compareParts(before.rows, after.rows, 'row', add, name)
  if (before.type === 'table' && after.type === 'table') {
    compareParts(before.columns, after.columns, 'column', add, name)
    for (const column of after.columns) {
      const other = before.columns.find(({ code }) => code === column.code)
      if (other === undefined || isEqual({ ...other, title: {} }, { ...column, title: {} })) continue
      add('type', `column “${name(column)}” has other settings`, 'review')
    }
  }
  if (before.type === 'computed' && after.type === 'computed') {
    compareRule(before.calculate, after.calculate, 'calculation', add)
  }
  if (before.type === 'note' && after.type === 'note') compareTexts(before.text, after.text, 'text', add)
  if (before.type !== 'consent' || after.type !== 'consent') return
  if (before.version !== after.version)
    add('consent', `version ${after.version} instead of ${before.version}`, 'review')
  else compareTexts(before.text, after.text, 'text, without a new version', add, 'consent')
}

function compareParts(
  before: readonly { title: Texts; value?: string; code?: string }[],
  after: readonly { title: Texts; value?: string; code?: string }[],
  noun: 'choice' | 'row' | 'column',
  add: Add,
  name: Namer,
): void {
  const keyOf = (part: { value?: string; code?: string }) => part.value ?? part.code ?? ''
  const former = new Map(before.map((part) => [keyOf(part), part]))
  const current = new Set(after.map(keyOf))
  for (const part of after) {
    const other = former.get(keyOf(part))
    if (other === undefined) add('choices', `${noun} “${name(part)}” added`, 'kept')
    else if (!isEqual(other.title, part.title))
      add('choices', `${noun} “${name(other)}” is now “${name(part)}”`, 'kept')
  }
  for (const part of before) {
    if (!current.has(keyOf(part))) add('choices', `${noun} “${name(part)}” removed`, 'review')
  }
  if (isReordered(before.map(keyOf), after.map(keyOf))) add('choices', `${noun}s reordered`, 'kept')
}

/** Whether the keys of both lists that the other one has too are in another order. */
function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const common = after.filter((key) => before.includes(key))
  return !isEqual(
    common,
    before.filter((key) => after.includes(key)),
  )
}

function compareTexts(
  before: Texts | undefined,
  after: Texts | undefined,
  noun: string,
  add: Add,
  kind: 'text' | 'consent' = 'text',
): void {
  const languages = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  for (const language of languages) {
    const [was = '', is = ''] = [before?.[language], after?.[language]]
    if (was === is) continue
    const what =
      was === '' || is === ''
        ? `“${is === '' ? was : is}” ${is === '' ? 'removed' : 'added'}`
        : `“${is}” instead of “${was}”`
    add(kind, `${noun} (${language}) ${what}`, 'kept')
  }
}

function compareRule(
  before: string | undefined,
  after: string | undefined,
  noun: string,
  add: Add,
  effect: ChangeEffect = 'kept',
): void {
  const [was, is] = [(before ?? '').trim(), (after ?? '').trim()]
  if (was === is) return
  if (is === '') add('rule', `“${noun} ${was}” removed`, 'kept')
  else add('rule', was === '' ? `${noun} ${is}` : `${noun} ${is} instead of ${was}`, effect)
}

/** Whether two values have the same content; the order of keys doesn't matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, sortKeys) === JSON.stringify(other, sortKeys)
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function show(value: unknown): string | null {
  if (value === true) return 'on'
  if (Array.isArray(value)) return value.map(String).toSorted().join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Properties with a plain value, and how they are called. */
const SETTINGS = [
  ['conceptId', 'concept'],
  ['isHidden', 'hidden'],
  ['prefill', 'URL parameter'],
  ['unit', 'unit'],
  ['decimals', 'decimals'],
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['minLength', 'minimum characters'],
  ['maxLength', 'maximum characters'],
  ['earliest', 'earliest date'],
  ['latest', 'latest date'],
  ['country', 'country'],
  ['allowOther', 'other answers'],
  ['minChoices', 'minimum choices'],
  ['maxChoices', 'maximum choices'],
  ['minRows', 'minimum rows'],
  ['maxRows', 'maximum rows'],
  ['accept', 'accepted files'],
  ['maxFiles', 'maximum files'],
  ['result', 'result'],
  ['purpose', 'purpose'],
  ['channels', 'channels'],
] as const

/** Settings that no stored answer depends on. */
const HARMLESS: readonly string[] = ['conceptId', 'isHidden', 'prefill', 'country']
const effectOf = (key: string): ChangeEffect => (HARMLESS.includes(key) ? 'kept' : 'review')

/** Whether each answer to a question of the first type is also one to the second. */
function isReadable(before: QuestionType, after: QuestionType): boolean {
  const isLine = ['text', 'email', 'phone', 'url', 'vin', 'postalCode'].includes(before)
  return isLine && (after === 'text' || after === 'longText')
}

const TYPES: Record<QuestionType, string> = {
  text: 'text',
  longText: 'long text',
  email: 'email address',
  phone: 'phone number',
  url: 'web address',
  vin: 'VIN',
  postalCode: 'postal code',
  number: 'number',
  date: 'date',
  boolean: 'yes or no',
  single: 'single choice',
  multiple: 'multiple choice',
  rating: 'rating',
  matrix: 'matrix',
  table: 'table',
  file: 'file',
  address: 'address',
  person: 'person',
  facility: 'facility',
  computed: 'computed value',
  note: 'note',
  consent: 'consent',
}
