import { trimmed } from '#contract/trimmed.ts'
import { foldCase } from '../expressions/fold-case.ts'
import { Exact } from '../expressions/exact.ts'
import { readDay } from '../expressions/days.ts'
import { checkRules, isRuleName } from './check-rules.ts'
import { checkTexts, type Completeness } from './check-texts.ts'
import { Faults, type DefinitionFault, type Path } from './definition-fault.ts'
import type { Definition, Question, QuestionChoice, QuestionColumn, QuestionType } from './definition.ts'
import { checkOneOf } from './check-one-of.ts'
import { OTHER } from './rule-names.ts'

export type DefinitionCheck = Readonly<{
  /** Errors first, each in the order of the definition. */
  faults: readonly DefinitionFault[]
  /** Whether it can be published: no errors. */
  isPublishable: boolean
  completeness: readonly Completeness[]
}>

/** Reports every fault of a definition with its location. A definition without errors compiles. */
export function checkDefinition(definition: Definition): DefinitionCheck {
  const faults = new Faults(definition)
  checkLanguages(definition, faults)
  checkEditions(definition, faults)
  checkSections(definition, faults)
  checkCodes(definition, faults)
  definition.sections.forEach((section, sectionAt) => {
    section.questions.forEach((question, at) => {
      const path = ['sections', sectionAt, 'questions', at]
      checkObligation(question, path, faults)
      checkExceptions(question, definition, path, faults)
      checkHidden(question, path, faults)
      checkType(question, path, faults)
    })
  })
  checkOneOf(definition, faults)
  checkRules(definition, faults)
  const completeness = checkTexts(definition, faults)
  const errors = faults.all.filter(({ severity }) => severity === 'error')
  const warnings = faults.all.filter(({ severity }) => severity === 'warning')
  return { faults: [...errors, ...warnings], isPublishable: errors.length === 0, completeness }
}

function checkLanguages({ languages }: Definition, faults: Faults): void {
  languages.forEach((language, at) => {
    if (!/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(language)) {
      faults.error(['languages', at], `"${language}" isn't a language tag, like en or es-MX.`)
    } else if (languages.indexOf(language) < at) {
      faults.error(['languages', at], `${language} is listed twice.`)
    }
  })
}

function checkSections({ sections }: Definition, faults: Faults): void {
  const isAnswered = ({ type }: Question) => type !== 'note' && type !== 'computed'
  if (!sections.some(({ questions }) => questions.some(isAnswered))) {
    faults.error(['sections'], 'Add a question.')
  }
  const ids = sections.map(({ id }) => id)
  sections.forEach(({ id, questions }, at) => {
    if (!/^[A-Za-z][\w-]*$/.test(id)) {
      faults.error(
        ['sections', at, 'id'],
        'A section ID has letters, digits, - and _, and starts with a letter.',
      )
    } else if (ids.indexOf(id) < at) faults.error(['sections', at, 'id'], `Another section has the ID ${id}.`)
    if (questions.length === 0) faults.warn(['sections', at, 'questions'], 'This section has no questions.')
  })
}

/** Codes and the names of totals share one namespace, because rules use both. */
function checkCodes({ sections }: Definition, faults: Faults): void {
  const owners = new Map<string, string>()
  const add = (code: string, path: Path, owner: string) => {
    if (!isRuleName(code)) {
      const why = /^[A-Za-z][A-Za-z0-9_]*$/.test(code)
        ? `${code} has a meaning in rules. Use another name.`
        : NAME_RULE
      faults.error(path, why)
      return
    }
    const former = owners.get(code)
    if (former === undefined) owners.set(code, owner)
    else faults.error(path, `${code} is already the ${former}.`)
  }
  sections.forEach(({ questions }, sectionAt) => {
    questions.forEach((question, at) => {
      const path = ['sections', sectionAt, 'questions', at]
      add(question.code, [...path, 'code'], 'code of another question')
      if (question.type !== 'table') return
      question.columns.forEach((column, number) => {
        if (column.type !== 'number' || column.total === undefined) return
        add(column.total, [...path, 'columns', number, 'total'], 'name of a total')
      })
    })
  })
}

const NAME_RULE = 'Use letters, digits and _, starting with a letter.'

function checkObligation(question: Question, path: Path, faults: Faults): void {
  const { type, obligation = 'voluntary', requiredIf, messages } = question
  const hasRule = requiredIf !== undefined && requiredIf.trim() !== ''
  if (type === 'note' || type === 'computed') {
    const what = type === 'note' ? 'A note' : 'A computed value'
    if (obligation !== 'voluntary') faults.error([...path, 'obligation'], `${what} can't be required.`)
    if (hasRule) faults.error([...path, 'requiredIf'], `${what} can't be required.`)
    return
  }
  if (hasRule && obligation !== 'voluntary') {
    faults.error([...path, 'requiredIf'], 'Remove this rule: the question always needs an answer.')
  }
  if (type === 'consent' && obligation !== 'voluntary' && obligation !== 'required') {
    faults.error([...path, 'obligation'], 'A consent is either required or voluntary.')
  }
  if (messages?.check !== undefined && (question.check ?? '').trim() === '') {
    faults.warn([...path, 'messages', 'check'], 'This message is never shown: there is no check.')
  }
}

/** What differs by edition and size. An exception that never applies is a mistake, not a style. */
function checkExceptions(
  { type, obligations }: Question,
  { editions = [] }: Definition,
  path: Path,
  faults: Faults,
): void {
  const at = (number: number, field = 'obligation') => [...path, 'obligations', number, field]
  const isAsked = type !== 'note' && type !== 'computed'
  obligations?.forEach(({ edition, sizes, obligation }, number) => {
    if (!isAsked) faults.error(at(number), 'Only a question can be required by edition or size.')
    else if (type === 'consent' && obligation !== 'voluntary' && obligation !== 'required')
      faults.error(at(number), 'A consent is either required or voluntary.')
    if (edition === undefined && (sizes === undefined || sizes.length === 0))
      faults.error(at(number), 'Choose an edition or a size for this exception.')
    if (edition !== undefined && editions.every(({ code }) => code !== edition))
      faults.error(at(number, 'edition'), `There is no edition ${edition}.`)
    const isCovered = obligations
      .slice(0, number)
      .some(
        (other) =>
          (other.edition === undefined || other.edition === edition) &&
          (other.sizes === undefined || (sizes ?? []).length > 0) &&
          (sizes ?? []).every((size) => other.sizes === undefined || other.sizes.includes(size)) &&
          (other.sizes === undefined || sizes !== undefined),
      )
    if (isCovered) faults.error(at(number), 'An exception above already covers this one.')
  })
}

function checkEditions({ editions = [] }: Definition, faults: Faults): void {
  const codes = editions.map(({ code }) => code)
  codes.forEach((code, at) => {
    if (!/^[A-Za-z][\w-]*$/.test(code))
      faults.error(
        ['editions', at, 'code'],
        'An edition has letters, digits, - and _, and starts with a letter.',
      )
    else if (codes.indexOf(code) < at)
      faults.error(['editions', at, 'code'], `Another edition has the code ${code}.`)
  })
}

/** Types that one value in a URL can fill. A consent is only given by the person. */
const PREFILLED: readonly QuestionType[] = [
  'text',
  'longText',
  'email',
  'phone',
  'url',
  'vin',
  'postalCode',
  'number',
  'date',
  'boolean',
  'single',
  'multiple',
  'rating',
]

function checkHidden(question: Question, path: Path, faults: Faults): void {
  const { type, prefill, isHidden, obligation = 'voluntary', requiredIf = '', check = '' } = question
  if (prefill !== undefined) {
    if (!PREFILLED.includes(type))
      faults.error([...path, 'prefill'], "The URL can't fill a question of this type.")
    else if (!/^[A-Za-z][\w.-]*$/.test(prefill)) {
      faults.error(
        [...path, 'prefill'],
        'A URL parameter has letters, digits, -, _ and ., and starts with a letter.',
      )
    }
  }
  if (isHidden !== true) return
  if (type !== 'computed' && !PREFILLED.includes(type)) {
    faults.error([...path, 'isHidden'], "A question of this type can't be hidden.")
    return
  }
  if (obligation !== 'voluntary' || requiredIf.trim() !== '') {
    faults.error([...path, 'obligation'], "A hidden field can't be required: visitors can't answer it.")
  }
  if (check.trim() !== '')
    faults.error([...path, 'check'], "A hidden field can't have a check: visitors can't correct it.")
  if (type !== 'computed' && prefill === undefined) {
    faults.warn([...path, 'prefill'], 'This hidden field stays empty: no URL parameter fills it.')
  }
}

function checkType(question: Question, path: Path, faults: Faults): void {
  switch (question.type) {
    case 'text':
    case 'longText':
    case 'number':
    case 'date':
      checkRanges(question, path, faults)
      return
    case 'single':
      checkChoices(question.choices, question.allowOther === true, path, faults)
      return
    case 'multiple': {
      const isOpen = question.allowOther === true
      checkChoices(question.choices, isOpen, path, faults)
      const { minChoices, maxChoices } = question
      checkOrder(minChoices, maxChoices, [...path, 'maxChoices'], faults)
      const most = question.choices.length + (isOpen ? 1 : 0)
      if (minChoices !== undefined && minChoices > most) {
        faults.error([...path, 'minChoices'], `There are only ${most} choices.`)
      }
      return
    }
    case 'matrix':
      if (question.rows.length === 0) faults.error([...path, 'rows'], 'Add a row.')
      checkPartCodes(question.rows, [...path, 'rows'], faults)
      checkChoices(question.choices, false, path, faults)
      return
    case 'table':
      if (question.columns.length === 0) faults.error([...path, 'columns'], 'Add a column.')
      checkPartCodes(question.columns, [...path, 'columns'], faults)
      question.columns.forEach((column, at) => checkColumn(column, [...path, 'columns', at], faults))
      checkOrder(question.minRows, question.maxRows, [...path, 'maxRows'], faults)
      return
    case 'consent':
      if (question.purpose !== 'privacy' && question.channels.length === 0) {
        faults.error([...path, 'channels'], 'Choose how the person may be contacted.')
      }
      checkPlaceholders(question.text, [...path, 'text'], faults)
      return
    default:
  }
}

function checkColumn(column: QuestionColumn, path: Path, faults: Faults): void {
  if (column.type === 'single') checkChoices(column.choices, false, path, faults)
  else if (column.type !== 'boolean') checkRanges(column, path, faults)
}

type Ranged = Extract<Question | QuestionColumn, { type: 'text' | 'longText' | 'number' | 'date' }>

function checkRanges(ranged: Ranged, path: Path, faults: Faults): void {
  if (ranged.type === 'number') {
    const { min, max } = ranged
    const isTurned = min !== undefined && max !== undefined && new Exact(min).greaterThan(max)
    if (isTurned) faults.error([...path, 'max'], `The maximum is below the minimum, ${min}.`)
    return
  }
  if (ranged.type !== 'date') {
    checkOrder(ranged.minLength, ranged.maxLength, [...path, 'maxLength'], faults)
    return
  }
  const { earliest, latest } = ranged
  for (const [name, day] of [
    ['earliest', earliest],
    ['latest', latest],
  ] as const) {
    if (day !== undefined && readDay(day) === null) faults.error([...path, name], `${day} isn't a date.`)
  }
  if (earliest !== undefined && latest !== undefined && earliest > latest) {
    faults.error([...path, 'latest'], `The latest date is before the earliest, ${earliest}.`)
  }
}

function checkOrder(least: number | undefined, most: number | undefined, path: Path, faults: Faults): void {
  if (least !== undefined && most !== undefined && least > most) {
    faults.error(path, `The maximum is below the minimum, ${least}.`)
  } else if (most === 0) faults.error(path, 'The maximum must be at least 1.')
}

/** Rules ignore case, so two values may not differ only in case. */
function checkChoices(choices: readonly QuestionChoice[], isOpen: boolean, path: Path, faults: Faults): void {
  if (choices.length === 0) faults.error([...path, 'choices'], 'Add a choice.')
  const known = new Set<string>()
  choices.forEach(({ value }, at) => {
    const place = [...path, 'choices', at, 'value']
    const folded = foldCase(value)
    if (trimmed(value) === '') faults.error(place, 'Enter a value for this choice.')
    else if (value !== value.trim()) faults.error(place, 'Remove the spaces around the value.')
    else if (known.has(folded)) faults.error(place, `Another choice has the value ${value}.`)
    else if (isOpen && folded === OTHER)
      faults.error(place, `"${OTHER}" is the value of an answer that isn't listed.`)
    known.add(folded)
  })
}

function checkPartCodes(parts: readonly { code: string }[], path: Path, faults: Faults): void {
  const codes = parts.map(({ code }) => code)
  codes.forEach((code, at) => {
    if (!isRuleName(code)) faults.error([...path, at, 'code'], NAME_RULE)
    else if (codes.indexOf(code) < at) faults.error([...path, at, 'code'], `${code} exists twice.`)
  })
}

function checkPlaceholders(texts: Readonly<Record<string, string>>, path: Path, faults: Faults): void {
  for (const [language, text] of Object.entries(texts)) {
    for (const [whole] of text.matchAll(/\{\w*\}/g)) {
      if (whole !== '{seller}')
        faults.error([...path, language], `${whole} isn't replaced. Only {seller} is.`)
    }
  }
}
