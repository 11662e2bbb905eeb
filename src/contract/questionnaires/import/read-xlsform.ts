import type { Question } from '#contract/questions/definition.ts'
import { MAX_TABLE_ROWS } from '#contract/questions/limits.ts'
import { finishImport } from './finish-import.ts'
import {
  Codes,
  type ImportedQuestionnaire,
  type ImportedSection,
  ImportFault,
  type ImportNote,
  partCode,
  TakenCodes,
} from './imported.ts'

/** The cells of a sheet as text, by line. */
type FormSheet = Readonly<{ name: string; lines: readonly (readonly string[])[] }>
type Texts = Record<string, string>
type Choice = Readonly<{ value: string; title: Texts }>
/** A line of the sheet "survey", by the names of its columns. */
type Line = Readonly<{ number: number; cells: ReadonlyMap<string, string> }>

/** Whether a workbook looks like an XLSForm. */
export const isXlsForm = (sheets: readonly FormSheet[]): boolean => sheetOf(sheets, 'survey') !== null

const sheetOf = (sheets: readonly FormSheet[], name: string): FormSheet | null =>
  sheets.find((sheet) => sheet.name.trim().toLowerCase() === name) ?? null

/**
 * Reads an XLSForm. Everything that has no counterpart is reported with its line.
 * @throws ImportFault with sheet and line if it isn't one, or if its groups don't match
 */
export function readXlsForm(sheets: readonly FormSheet[], name: string): ImportedQuestionnaire {
  const survey = sheetOf(sheets, 'survey')
  if (survey === null) throw new ImportFault('This workbook has no sheet “survey”.')
  const { lines, header } = linesOf(survey)
  if (!header.includes('type') || !header.includes('name')) {
    throw new ImportFault('Sheet “survey”, line 1: the columns “type” and “name” are missing.')
  }
  const [settings] = linesOf(sheetOf(sheets, 'settings') ?? { name: 'settings', lines: [] }).lines
  const reader = new FormReader(sheetOf(sheets, 'choices'), settings?.cells.get('default_language') ?? '')
  const sections = reader.read(lines)
  const title = settings?.cells.get('form_title') ?? ''
  return finishImport({
    name: (title === '' ? name : title).slice(0, 100),
    languages: mostWrittenFirst(reader.languages, sections, reader.notes),
    sections,
    codes: reader.codes,
    notes: reader.notes,
    dialect: 'xlsform',
  })
}

/** The languages with the one first that most questions have: authors often name a default language without texts. */
function mostWrittenFirst(
  languages: readonly string[],
  sections: readonly ImportedSection[],
  notes: ImportNote[],
): string[] {
  const titles = sections.flatMap(({ imported }) => imported.map(({ question }) => question.title))
  const written = (tag: string) => titles.filter((texts) => Object.hasOwn(texts, tag)).length
  const [main = 'en'] = languages
  const best = languages.reduce((one, other) => (written(other) > written(one) ? other : one), main)
  if (best !== main) {
    notes.push({
      place: 'Languages',
      message: `The default language is ${best} instead of ${main}: more questions have it.`,
    })
  }
  return [best, ...languages.filter((tag) => tag !== best)]
}

/** The filled lines of a sheet. The names of columns ignore case; `label:english` is the old spelling of `label::english`. */
function linesOf({ lines }: FormSheet): { header: string[]; lines: Line[] } {
  const [first = [], ...rest] = lines
  const header = first.map((cell) =>
    cell
      .trim()
      .replace(/^(\w+):(?!:)/, '$1::')
      .replace(/^[^:]+/, (word) => word.toLowerCase().replaceAll(' ', '_')),
  )
  const found = rest.flatMap((cells, at): Line[] => {
    const named = cells.flatMap((cell, column): [string, string][] => {
      const key = header[column] ?? ''
      return key === '' || cell.trim() === '' ? [] : [[key, cell.trim()]]
    })
    return named.length === 0 ? [] : [{ number: at + 2, cells: new Map(named) }]
  })
  return { header, lines: found }
}

/** How many choices, the name of the list, and whether another answer can be written. */
const SELECT = /^select[ _](one|multiple|all that apply)(?: from)? (\S+)( or_other| or specify other)?/i

/** What devices record by themselves. Assessments know the time and the person anyway. */
const METADATA = [
  'start',
  'end',
  'today',
  'deviceid',
  'username',
  'phonenumber',
  'simserial',
  'subscriberid',
  'email',
  'audit',
  'start-geopoint',
  'imei',
  'background-audio',
  'start_time',
  'end_time',
]

type Group = {
  kind: 'group' | 'repeat'
  line: number
  visible: string | null
  section: ImportedSection | null
}
type Repeat = { line: Line; visible: readonly string[]; columns: Column[]; taken: TakenCodes; texts: Texts }
type Column = Extract<Question, { type: 'table' }>['columns'][number]

class FormReader {
  readonly codes = new Codes()
  readonly notes: ImportNote[] = []
  readonly #lists = new Map<string, Choice[]>()
  /** The values of each list, in lower case. */
  readonly #values = new Map<string, Set<string>>()
  readonly #tags = new Map<string, string>()
  readonly #sections: ImportedSection[] = []
  readonly #groups: Group[] = []
  #repeat: Repeat | null = null

  constructor(choices: FormSheet | null, defaultLanguage: string) {
    this.#tag(defaultLanguage)
    for (const { cells, number } of choices === null ? [] : linesOf(choices).lines)
      this.#addChoice(cells, number)
  }

  /** The default language first. */
  get languages(): string[] {
    const all = [...new Set(this.#tags.values())]
    return all.length === 0 ? ['en'] : all.slice(0, 12)
  }

  read(lines: readonly Line[]): ImportedSection[] {
    for (const line of lines) this.#line(line)
    const open = this.#groups.at(-1)
    if (open !== undefined)
      throw new ImportFault(`Sheet “survey”, line ${open.line}: this ${open.kind} never ends.`)
    return this.#sections
  }

  #note({ number }: Line, message: string): void {
    this.notes.push({ place: `survey, line ${number}`, message })
  }

  /** The tag of a language as authors write it: "Deutsch (de)", "english", "es". */
  #tag(written: string): string {
    const key = written.trim().toLowerCase()
    const known = this.#tags.get(key)
    if (known !== undefined) return known
    if (key === '') return this.#tags.values().next().value ?? 'en'
    const inside = /\(([a-z]{2,3}(?:-[A-Za-z]+)?)\)/.exec(written)?.[1]
    const tag = inside ?? NAMED[key] ?? (/^[a-z]{2,3}$/.test(key) ? key : null)
    const free = tag ?? `x${this.#tags.size}`
    if (tag === null)
      this.notes.push({
        place: 'Languages',
        message: `“${written}” isn't a known language. Its texts have the tag ${free}.`,
      })
    this.#tags.set(key, free)
    return free
  }

  /** The texts of a column in all languages: `label`, `label::Deutsch (de)`. */
  #texts(cells: ReadonlyMap<string, string>, name: string): Texts {
    const found: Texts = {}
    for (const [key, text] of cells) {
      if (key === name) found[this.#tag('')] ??= text
      else if (key.startsWith(`${name}::`)) found[this.#tag(key.slice(name.length + 2))] = text
    }
    return found
  }

  #addChoice(cells: ReadonlyMap<string, string>, number: number): void {
    const list = cells.get('list_name') ?? ''
    const value = (cells.get('name') ?? cells.get('value') ?? '').slice(0, 60)
    if (list === '' || value === '') return
    const title = this.#texts(cells, 'label')
    const choices = this.#lists.get(list) ?? []
    this.#lists.set(list, choices)
    const values = this.#values.get(list) ?? new Set<string>()
    this.#values.set(list, values)
    if (values.has(value.toLowerCase())) {
      this.notes.push({
        place: `choices, line ${number}`,
        message: `${value} is in the list ${list} twice. The second one was not imported.`,
      })
      return
    }
    if (cells.has('image') || cells.has('audio'))
      this.notes.push({
        place: `choices, line ${number}`,
        message: 'The media file of this choice was not imported.',
      })
    values.add(value.toLowerCase())
    choices.push({ value, title: Object.keys(title).length > 0 ? title : { [this.#tag('')]: value } })
  }

  #line(line: Line): void {
    const type = (line.cells.get('type') ?? '').toLowerCase().replaceAll(/\s+/g, ' ')
    if (type === '') return
    const begin = /^begin[ _](group|repeat)\b/.exec(type)
    const end = /^end[ _](group|repeat)\b/.exec(type)
    if (begin) return this.#begin(begin[1] === 'repeat' ? 'repeat' : 'group', line)
    if (end) return this.#end(end[1] === 'repeat' ? 'repeat' : 'group', line)
    if (METADATA.includes(type))
      return this.#note(line, `“${type}” is recorded by devices and was not imported.`)
    if (this.#repeat !== null) return this.#column(this.#repeat, line, type)
    const question = this.#question(type, line)
    if (question === null) return
    this.#section().imported.push({
      question,
      place: `survey, line ${line.number}`,
      visible: this.#visible(line),
      required: null,
      check: this.#check(question, line),
      calculate: type === 'calculate' ? (line.cells.get('calculation') ?? '') : null,
    })
  }

  #begin(kind: Group['kind'], line: Line): void {
    const visible = line.cells.get('relevant') ?? null
    if (kind === 'repeat') {
      if (this.#repeat !== null)
        throw new ImportFault(
          `Sheet “survey”, line ${line.number}: a repeat inside a repeat can't be imported.`,
        )
      this.#repeat = {
        line,
        visible: this.#visible(line),
        columns: [],
        taken: new TakenCodes(),
        texts: this.#texts(line.cells, 'label'),
      }
    }
    const isOuter = kind === 'group' && this.#groups.length === 0
    const label = this.#texts(line.cells, 'label')
    const name = line.cells.get('name') ?? ''
    let section: ImportedSection | null = null
    if (isOuter) section = this.#addSection(Object.keys(label).length > 0 ? label : { [this.#tag('')]: name })
    else if (kind === 'group' && Object.keys(label).length > 0) this.#heading(line, label, name)
    this.#groups.push({ kind, line: line.number, visible, section })
  }

  #end(kind: Group['kind'], line: Line): void {
    const open = this.#groups.pop()
    if (open?.kind !== kind) {
      throw new ImportFault(
        `Sheet “survey”, line ${line.number}: this ends a ${kind} that was never started.`,
      )
    }
    if (kind === 'repeat' && this.#repeat !== null) this.#endRepeat(this.#repeat)
  }

  #endRepeat({ line, columns, visible, texts }: Repeat): void {
    this.#repeat = null
    const name = line.cells.get('name') ?? `repeat_${line.number}`
    if (columns.length === 0)
      return this.#note(line, 'This repeat was not imported: it has no question that a table can have.')
    const most = /^\d{1,3}$/.exec(line.cells.get('repeat_count') ?? '')
    const question: Question = {
      type: 'table',
      code: this.codes.add(name),
      title: Object.keys(texts).length > 0 ? texts : { [this.#tag('')]: name },
      columns: columns.slice(0, 20),
      ...(most !== null &&
        Number(most[0]) > 0 &&
        Number(most[0]) <= MAX_TABLE_ROWS && { maxRows: Number(most[0]) }),
    }
    if (line.cells.has('repeat_count') && most === null)
      this.#note(line, 'The number of repeats was not imported.')
    if (columns.length > 20)
      this.#note(
        line,
        `${columns.length - 20} questions of this repeat were not imported: a table has at most 20 columns.`,
      )
    this.#section().imported.push({
      question,
      place: `survey, line ${line.number}`,
      visible,
      required: null,
      check: null,
      calculate: null,
    })
  }

  #column(repeat: Repeat, line: Line, type: string): void {
    const name = line.cells.get('name') ?? `column_${line.number}`
    const [, howMany] = SELECT.exec(type) ?? []
    const code = partCode(name, repeat.taken, repeat.columns.length)
    const label = this.#texts(line.cells, 'label')
    const base = {
      code,
      title: Object.keys(label).length > 0 ? label : { [this.#tag('')]: name },
      ...(isYes(line.cells.get('required')) && { isRequired: true as const }),
    }
    for (const rule of ['relevant', 'constraint', 'choice_filter']) {
      if (line.cells.has(rule))
        this.#note(line, `The rule “${line.cells.get(rule) ?? ''}” of a column was not imported.`)
    }
    const column = columnOf(
      type,
      base,
      howMany === 'one' ? (this.#lists.get(this.#listName(line)) ?? []) : null,
    )
    if (column === null)
      return this.#note(
        line,
        `A question of the type ${type} can't be a column of a table. It was not imported.`,
      )
    repeat.taken.add(code)
    repeat.columns.push(column)
  }

  /** The name of a list keeps its case. */
  #listName({ cells }: Line): string {
    return SELECT.exec((cells.get('type') ?? '').trim().replaceAll(/\s+/g, ' '))?.[2] ?? ''
  }

  #section(): ImportedSection {
    const last = this.#sections.at(-1)
    const isInGroup = this.#groups.some(({ section }) => section !== null)
    // A question between two groups is in a section of its own.
    if (last !== undefined && (isInGroup || last.id.startsWith('part'))) return last
    return this.#addSection({ [this.#tag('')]: `Part ${this.#sections.length + 1}` }, 'part')
  }

  #addSection(title: Texts, stem = 'section'): ImportedSection {
    const section: ImportedSection = { id: `${stem}${this.#sections.length + 1}`, title, imported: [] }
    this.#sections.push(section)
    return section
  }

  #heading(line: Line, title: Texts, name: string): void {
    const code = this.codes.add(name === '' ? `group_${line.number}` : name)
    const question: Question = { type: 'note', code, title, text: title }
    this.#section().imported.push({
      question,
      place: `survey, line ${line.number}`,
      visible: this.#visible(line),
      required: null,
      check: null,
      calculate: null,
    })
  }

  /** The rules of a line and of the groups around it. */
  #visible({ cells }: Line): string[] {
    const own = cells.get('relevant')
    return [...this.#groups.flatMap(({ visible }) => visible ?? []), ...(own === undefined ? [] : [own])]
  }

  /** A rule for the answer; a range of a number becomes its limits. */
  #check(question: Question, { cells }: Line): string | null {
    const constraint = cells.get('constraint') ?? null
    if (constraint === null || question.type === 'note' || question.type === 'computed') return null
    return constraint
  }

  #question(type: string, line: Line): Question | null {
    const { cells } = line
    const name = cells.get('name') ?? `question_${line.number}`
    const label = this.#texts(cells, 'label')
    const help = this.#texts(cells, 'hint')
    const message = this.#texts(cells, 'constraint_message')
    const missing = this.#texts(cells, 'required_message')
    const title = Object.keys(label).length > 0 ? label : { [this.#tag('')]: name }
    const messages = {
      ...(cells.has('constraint') && Object.keys(message).length > 0 && { check: message }),
      ...(Object.keys(missing).length > 0 && { required: missing }),
    }
    const plain = { code: '', title }
    const base = {
      ...plain,
      ...(Object.keys(help).length > 0 && { help }),
      ...(isYes(cells.get('required')) && { obligation: 'required' as const }),
      ...(Object.keys(messages).length > 0 && { messages }),
    }
    this.#unsupported(line)
    const make = (question: Question): Question => ({ ...question, code: this.codes.add(name) })
    const select = SELECT.exec(type)
    if (select !== null) {
      const list = this.#listName(line)
      const choices = this.#lists.get(list)
      if (choices === undefined)
        this.#note(line, `The list ${list} isn't in the sheet “choices”. Add its choices.`)
      const given = {
        choices: [...(choices ?? [])],
        ...(select[3] !== undefined && { allowOther: true as const }),
      }
      return make({ type: select[1] !== 'one' ? 'multiple' : 'single', ...base, ...given })
    }
    const simple = SIMPLE[type]
    if (simple !== undefined) return make({ type: simple, ...base })
    if (AS_TEXT.includes(type)) {
      this.#note(line, `The type ${type} was imported as text.`)
      return make({ type: 'text', ...base })
    }
    switch (type) {
      case 'integer':
        return make({ type: 'number', ...base, decimals: 0 })
      case 'note':
        return make({ type: 'note', ...plain, text: Object.keys(help).length > 0 ? help : title })
      case 'calculate':
        return make({ type: 'computed', ...plain, calculate: '', result: 'number', isHidden: true })
      case 'image':
      case 'photo':
      case 'audio':
      case 'video':
      case 'file':
        return make({ type: 'file', ...base, maxFiles: 1 })
      default:
        this.#note(line, `Questions of the type ${type} can't be imported.`)
        return null
    }
  }

  #unsupported(line: Line): void {
    const { cells } = line
    for (const [name, what] of Object.entries(UNSUPPORTED)) {
      if (cells.has(name)) this.#note(line, `${what} was not imported.`)
    }
    if (
      [...cells.keys()].some((key) => key.startsWith('media::') || ['image', 'audio', 'video'].includes(key))
    ) {
      this.#note(line, 'The media file was not imported.')
    }
    const required = cells.get('required') ?? ''
    if (required !== '' && !isYes(required) && !/^(no|false|false\(\))$/i.test(required)) {
      this.#note(line, `The rule “${required}” for requiring it was not imported.`)
    }
  }
}

const UNSUPPORTED: Readonly<Record<string, string>> = {
  choice_filter: 'The filter of the choices',
  default: 'The default answer',
  read_only: 'The read-only setting',
  readonly: 'The read-only setting',
  trigger: 'The trigger',
}
const SIMPLE: Readonly<Record<string, 'text' | 'number' | 'date' | 'boolean' | undefined>> = {
  text: 'text',
  decimal: 'number',
  date: 'date',
  acknowledge: 'boolean',
  trigger: 'boolean',
}
const AS_TEXT: readonly string[] = ['time', 'datetime', 'date_time', 'barcode', 'string', 'phone number']
const NAMED: Readonly<Record<string, string>> = {
  english: 'en',
  spanish: 'es',
  español: 'es',
  french: 'fr',
  français: 'fr',
  german: 'de',
  deutsch: 'de',
  chinese: 'zh',
  portuguese: 'pt',
  italian: 'it',
  arabic: 'ar',
}

const isYes = (text: string | undefined): boolean =>
  text !== undefined && /^(yes|true|true\(\)|1)$/i.test(text)

function columnOf(
  type: string,
  base: { code: string; title: Texts; isRequired?: true },
  choices: readonly Choice[] | null,
): Column | null {
  if (choices !== null) return { type: 'single', ...base, choices: [...choices] }
  if (type === 'integer') return { type: 'number', ...base, decimals: 0 }
  const simple = SIMPLE[type]
  if (simple !== undefined) return { type: simple, ...base }
  return AS_TEXT.includes(type) ? { type: 'text', ...base } : null
}
