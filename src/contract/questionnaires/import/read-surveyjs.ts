import type { Question, QuestionColumn } from '#contract/questions/definition.ts'
import { MAX_TABLE_ROWS } from '#contract/questions/limits.ts'
import {
  Codes,
  type Imported,
  type ImportedQuestionnaire,
  type ImportedSection,
  ImportFault,
  type ImportNote,
  partCode,
  TakenCodes,
} from './imported.ts'
import { finishImport } from './finish-import.ts'

type Json = Readonly<Record<string, unknown>>
type Texts = Record<string, string>

/** The most elements of a file, so that a hostile one ends early. */
const MAX_ELEMENTS = 3_000
const MAX_DEPTH = 20

/** Whether JSON looks like a survey of SurveyJS: it has pages or elements, also inside `jsonContent`. */
export const isSurveyJs = (json: unknown): boolean => surveyOf(json) !== null

function surveyOf(json: unknown): Json | null {
  if (!isObject(json)) return null
  if (Array.isArray(json['pages']) || Array.isArray(json['elements'])) return json
  const inner = json['jsonContent']
  return isObject(inner) && (Array.isArray(inner['pages']) || Array.isArray(inner['elements'])) ? inner : null
}

/**
 * Reads the JSON of a SurveyJS survey. Everything that has no counterpart is reported, with the element's name.
 * @throws ImportFault if it isn't a survey
 */
export function readSurveyJs(json: unknown, name: string): ImportedQuestionnaire {
  const survey = surveyOf(json)
  if (survey === null) throw new ImportFault('This is not a survey: it has neither pages nor elements.')
  const main = typeof survey['locale'] === 'string' && survey['locale'] !== '' ? survey['locale'] : 'en'
  const reader = new SurveyReader(main, templatesOf(survey))
  const pages = Array.isArray(survey['pages']) ? listOf(survey['pages']) : [survey]
  const sections = pages.map((page, at) => reader.page(page, at))
  reader.ignored('Survey', survey, SURVEY_IGNORED)
  const title = reader.texts(survey['title'])[main] ?? name
  return finishImport({
    name: plainText(title).slice(0, 100) || name,
    languages: [main, ...[...reader.languages].filter((one) => one !== main)].slice(0, 12),
    sections,
    codes: reader.codes,
    notes: reader.notes,
    dialect: 'surveyjs',
  })
}

const SURVEY_IGNORED: Readonly<Record<string, string>> = {
  triggers: 'Triggers',
  calculatedValues: 'Calculated values',
  completedHtmlOnCondition: 'Closing pages',
}

/** Templates that some authors repeat questions with. */
function templatesOf(survey: Json): Map<string, Json> {
  return new Map(
    listOf(survey['questionTemplates']).flatMap((one): [string, Json][] =>
      typeof one['name'] === 'string' ? [[one['name'], one]] : [],
    ),
  )
}

class SurveyReader {
  readonly codes = new Codes()
  readonly notes: ImportNote[] = []
  readonly languages = new Set<string>()
  readonly #main: string
  readonly #templates: ReadonlyMap<string, Json>
  #elements = 0

  constructor(main: string, templates: ReadonlyMap<string, Json>) {
    this.#main = main
    this.#templates = templates
  }

  page(page: Json, at: number): ImportedSection {
    const visible = ruleIn(page, 'visibleIf')
    const imported = this.#elementsOf(
      page['elements'] ?? page['questions'],
      visible === null ? [] : [visible],
      0,
    )
    const title = this.texts(page['title'])
    const description = this.texts(page['description'])
    return {
      id: `section${at + 1}`,
      title: Object.keys(title).length > 0 ? title : { [this.#main]: `Page ${at + 1}` },
      ...(Object.keys(description).length > 0 && { description }),
      imported,
    }
  }

  ignored(place: string, of: Json, names: Readonly<Record<string, string>>): void {
    for (const [name, what] of Object.entries(names)) {
      const value = of[name]
      if (value !== undefined && !(Array.isArray(value) && value.length === 0)) {
        this.#note(place, `${what} were not imported.`)
      }
    }
  }

  /** The texts of a localizable string, without markup. */
  texts(value: unknown): Texts {
    if (typeof value === 'string') return plainText(value) === '' ? {} : { [this.#main]: plainText(value) }
    if (!isObject(value)) return {}
    const found: Texts = {}
    for (const [key, text] of Object.entries(value)) {
      const language = key === 'default' ? this.#main : key
      if (typeof text !== 'string' || plainText(text) === '' || !/^[a-z]{2,3}(-\w+)*$/i.test(language))
        continue
      found[language] = plainText(text)
      this.languages.add(language)
    }
    return found
  }

  #note(place: string, message: string): void {
    this.notes.push({ place, message })
  }

  #elementsOf(value: unknown, visible: readonly string[], depth: number): Imported[] {
    if (depth > MAX_DEPTH) throw new ImportFault('The panels of this survey are nested too deeply.')
    return listOf(value).flatMap((given) => {
      this.#elements += 1
      if (this.#elements > MAX_ELEMENTS)
        throw new ImportFault(`A survey can have at most ${MAX_ELEMENTS} elements.`)
      const template =
        typeof given['questionTemplateName'] === 'string'
          ? this.#templates.get(given['questionTemplateName'])
          : undefined
      const element: Json = template === undefined ? given : { ...template, ...given }
      return this.#element(element, visible, depth)
    })
  }

  #element(element: Json, outer: readonly string[], depth: number): Imported[] {
    const own = ruleIn(element, 'visibleIf')
    const visible = own === null ? outer : [...outer, own]
    const type = wordIn(element['type']) ?? 'text'
    const name = typeof element['name'] === 'string' ? element['name'] : `element_${this.#elements}`
    if (type === 'panel') {
      const inner = this.#elementsOf(element['elements'], visible, depth + 1)
      return [...this.#heading(element, visible), ...inner]
    }
    if (type === 'multipletext') {
      return listOf(element['items']).flatMap((item) => {
        const itemName = typeof item['name'] === 'string' ? item['name'] : ''
        const title = item['title'] ?? itemName
        return this.#element(
          { ...item, type: 'text', name: `${name}_${itemName}`, title },
          visible,
          depth + 1,
        )
      })
    }
    const place = `Question ${name}`
    this.ignored(place, element, {
      defaultValueExpression: 'Calculated default values',
      choicesByUrl: 'Choices from the web',
      choicesVisibleIf: 'Rules of choices',
      enableIf: 'Rules for enabling it',
    })
    this.#validators(element, place)
    const question = this.#question(type, element, name, place)
    if (question === null) return []
    const required =
      question.type === 'note' || question.type === 'computed' ? null : ruleIn(element, 'requiredIf')
    const calculate = type === 'expression' ? ruleIn(element, 'expression') : null
    return [{ question, place, visible, required, check: null, calculate }]
  }

  /** The title of a panel, as a text above its questions. */
  #heading(element: Json, visible: readonly string[]): Imported[] {
    const [title, description] = [this.texts(element['title']), this.texts(element['description'])]
    if (Object.keys(title).length === 0 && Object.keys(description).length === 0) return []
    const code = this.codes.add(
      typeof element['name'] === 'string' ? element['name'] : `panel_${this.#elements}`,
    )
    const [head, text] = Object.keys(title).length === 0 ? [description, description] : [title, description]
    const question: Question = {
      type: 'note',
      code,
      title: head,
      text: Object.keys(text).length === 0 ? head : text,
    }
    return [{ question, place: `Panel ${code}`, visible, required: null, check: null, calculate: null }]
  }

  #validators(element: Json, place: string): void {
    for (const validator of listOf(element['validators'])) {
      this.#note(place, `A validator of type ${wordIn(validator['type']) ?? 'unknown'} was not imported.`)
    }
    if (element['inputMask'] !== undefined) this.#note(place, 'The input mask was not imported.')
  }

  #question(type: string, element: Json, name: string, place: string): Question | null {
    const title = this.texts(element['title'])
    const help = this.texts(element['description'])
    const base = {
      code: '',
      title: Object.keys(title).length > 0 ? title : { [this.#main]: name },
      ...(Object.keys(help).length > 0 && { help }),
      ...(element['isRequired'] === true && { obligation: 'required' as const }),
    }
    const make = (rest: Question): Question => ({ ...rest, code: this.codes.add(name) })
    const unrequired = { code: '', title: base.title }
    switch (type) {
      case 'text':
        return make(this.#textQuestion(element, base))
      case 'comment':
        return make({ type: 'longText', ...base })
      case 'boolean':
        return make({ type: 'boolean', ...base })
      case 'radiogroup':
      case 'dropdown':
      case 'buttongroup':
      case 'imagepicker':
        return make({
          type: element['multiSelect'] === true ? 'multiple' : 'single',
          ...base,
          ...this.#choices(element, place),
        })
      case 'checkbox':
      case 'tagbox':
        return make({ type: 'multiple', ...base, ...this.#choices(element, place) })
      case 'rating':
        return this.#rating(element, base, make, place)
      case 'matrix':
        return make({
          type: 'matrix',
          ...base,
          rows: this.#rows(element['rows']),
          choices: this.#values(element['columns']),
        })
      case 'matrixdynamic':
      case 'paneldynamic':
        return this.#table(element, base, make, place)
      case 'html':
        if (Object.keys(this.texts(element['html'])).length === 0) {
          this.#note(place, 'It has no text, and was not imported.')
          return null
        }
        return make({
          type: 'note',
          ...unrequired,
          title: { [this.#main]: name },
          text: this.texts(element['html']),
        })
      case 'image':
        this.#note(place, 'The image was not imported.')
        return null
      case 'expression':
        return make({ type: 'computed', ...unrequired, calculate: '', result: 'number' })
      case 'file':
        return make({ type: 'file', ...base, maxFiles: element['allowMultiple'] === true ? 10 : 1 })
      default:
        this.#note(place, `Questions of the type ${type} can't be imported.`)
        return null
    }
  }

  #textQuestion(element: Json, base: Omit<Question, 'type'> & { code: string }): Question {
    const max = numberIn(element['maxLength'])
    switch (element['inputType']) {
      case 'number':
      case 'range': {
        const [min, most] = [digitsIn(element['min']), digitsIn(element['max'])]
        return { type: 'number', ...base, ...(min !== null && { min }), ...(most !== null && { max: most }) }
      }
      case 'date':
        return { type: 'date', ...base }
      case 'email':
        return { type: 'email', ...base }
      case 'tel':
        return { type: 'phone', ...base }
      case 'url':
        return { type: 'url', ...base }
      default:
        return { type: 'text', ...base, ...(max !== null && max > 0 && max <= 500 && { maxLength: max }) }
    }
  }

  #choices(element: Json, place: string) {
    const choices = this.#values(element['choices'])
    if (element['hasNone'] === true || element['showNoneItem'] === true) {
      const text = this.texts(element['noneText'])
      const value = typeof element['noneValue'] === 'string' ? element['noneValue'] : 'none'
      choices.push({ value, title: Object.keys(text).length > 0 ? text : { [this.#main]: 'None' } })
      this.#note(place, "“None” is an ordinary choice: it doesn't clear the others.")
    }
    for (const choice of listOf(element['choices'])) {
      if (choice['visibleIf'] !== undefined)
        this.#note(place, `The rule of the choice ${wordIn(choice['value']) ?? ''} was not imported.`)
    }
    const isOpen = element['hasOther'] === true || element['showOtherItem'] === true
    return { choices: withoutRepeats(choices), ...(isOpen && { allowOther: true as const }) }
  }

  /** Choices: plain values, or objects with a text. */
  #values(value: unknown): { value: string; title: Texts }[] {
    if (!Array.isArray(value)) return []
    return value.flatMap((one: unknown) => {
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') {
        return [{ value: String(one).trim().slice(0, 60), title: { [this.#main]: String(one) } }]
      }
      const own = isObject(one) ? (wordIn(one['value'])?.trim() ?? null) : null
      if (!isObject(one) || own === null) return []
      const text = this.texts(one['text'])
      return [{ value: own.slice(0, 60), title: Object.keys(text).length > 0 ? text : { [this.#main]: own } }]
    })
  }

  #rows(value: unknown): { code: string; title: Texts }[] {
    const taken = new TakenCodes()
    return this.#values(value).map(({ value: name, title }, at) => {
      const code = partCode(name, taken, at)
      taken.add(code)
      return { code, title }
    })
  }

  #rating(
    element: Json,
    base: Omit<Question, 'type'> & { code: string },
    make: (question: Question) => Question,
    place: string,
  ): Question | null {
    const values = this.#values(element['rateValues'])
    if (values.length > 0) return make({ type: 'single', ...base, choices: values })
    const min = numberIn(element['rateMin']) ?? 1
    const max = numberIn(element['rateMax']) ?? numberIn(element['rateCount']) ?? 5
    if (min !== 1 || max > 10 || max < 2) {
      this.#note(place, `The scale from ${min} to ${max} was imported as a number.`)
      return make({ type: 'number', ...base, decimals: 0, min: String(min), max: String(max) })
    }
    const [lowest, highest] = [
      this.texts(element['minRateDescription']),
      this.texts(element['maxRateDescription']),
    ]
    return make({
      type: 'rating',
      ...base,
      max,
      ...(Object.keys(lowest).length > 0 && { lowest }),
      ...(Object.keys(highest).length > 0 && { highest }),
    })
  }

  /** A table with one row for each entry. Columns that a table can't have are reported. */
  #table(
    element: Json,
    base: Omit<Question, 'type'> & { code: string },
    make: (question: Question) => Question,
    place: string,
  ): Question | null {
    const taken = new TakenCodes()
    const given = listOf(element['columns'] ?? element['templateElements'])
    const columns = given.flatMap((column, at): QuestionColumn[] => {
      const name = typeof column['name'] === 'string' ? column['name'] : `column${at + 1}`
      const kind = wordIn(column['cellType'] ?? column['type'] ?? element['cellType']) ?? 'text'
      const code = partCode(name, taken, at)
      const title = this.texts(column['title'])
      const own = {
        code,
        title: Object.keys(title).length > 0 ? title : { [this.#main]: name },
        ...(column['isRequired'] === true && { isRequired: true as const }),
      }
      if (column['visibleIf'] !== undefined)
        this.#note(place, `The rule of the column ${name} was not imported.`)
      taken.add(code)
      if (kind === 'boolean') return [{ type: 'boolean' as const, ...own }]
      if (kind === 'dropdown' || kind === 'radiogroup') {
        const choices = this.#values(column['choices'] ?? element['choices'])
        return [{ type: 'single' as const, ...own, choices: withoutRepeats(choices) }]
      }
      if (kind === 'text' || kind === 'comment') {
        const input = column['inputType']
        if (input === 'number') return [{ type: 'number' as const, ...own }]
        return [input === 'date' ? { type: 'date' as const, ...own } : { type: 'text' as const, ...own }]
      }
      this.#note(place, `The column ${name} of the type ${kind} was not imported.`)
      return []
    })
    if (columns.length === 0) {
      this.#note(place, 'It was not imported: it has no column that a table can have.')
      return null
    }
    const most = numberIn(element['maxRowCount'] ?? element['maxPanelCount'])
    return make({
      type: 'table',
      ...base,
      columns,
      ...(most !== null && most > 0 && most <= MAX_TABLE_ROWS && { maxRows: most }),
    })
  }
}

function withoutRepeats<T extends { value: string }>(choices: readonly T[]): T[] {
  const seen = new Set<string>()
  return choices.filter(({ value }) => {
    const key = value.toLowerCase()
    if (value === '' || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Text without HTML. Only for reading: what is shown is always escaped. */
function plainText(text: string): string {
  return withoutTags(text)
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Looks at each character once: a pattern would begin again at every "<" of a text without a ">". */
function withoutTags(text: string): string {
  let [plain, at] = ['', 0]
  for (let start = text.indexOf('<'); start >= 0; start = text.indexOf('<', at)) {
    const end = text.indexOf('>', start)
    if (end < 0) break
    const breaks = /^<(br|\/p|\/div|\/li|\/h\d)\b/i.test(text.slice(start, start + 10))
    plain += text.slice(at, start) + (breaks ? '\n' : '')
    at = end + 1
  }
  return plain + text.slice(at)
}

function ruleIn(element: Json, name: string): string | null {
  const rule = element[name]
  return typeof rule === 'string' && rule.trim() !== '' ? rule.trim() : null
}

/** A plain value as text; null for anything else. */
const wordIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) ? value : null
const digitsIn = (value: unknown): string | null =>
  (typeof value === 'number' || typeof value === 'string') && /^-?\d{1,15}(\.\d{1,10})?$/.test(String(value))
    ? String(value)
    : null
