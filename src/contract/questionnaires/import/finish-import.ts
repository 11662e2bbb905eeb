import { checkDefinition } from '#contract/questions/check-definition.ts'
import { Definition, type Question } from '#contract/questions/definition.ts'
import { NO_SCORING } from '#contract/questions/scores/scoring.ts'
import {
  type Codes,
  type Imported,
  type ImportedQuestionnaire,
  type ImportedSection,
  ImportFault,
  type ImportNote,
} from './imported.ts'
import { type RuleDialect, translateFormula, translateRule } from './translate-rule.ts'

type Parts = Readonly<{
  name: string
  languages: readonly string[]
  sections: readonly ImportedSection[]
  codes: Codes
  notes: ImportNote[]
  dialect: RuleDialect
}>

/**
 * Makes a draft of what was read: translates the rules, leaves out those that can't be, and reports each of them.
 * @throws ImportFault if the file exceeds the limits of a questionnaire
 */
export function finishImport({
  name,
  languages,
  sections,
  codes,
  notes,
  dialect,
}: Parts): ImportedQuestionnaire {
  const all = new Map(
    sections.flatMap(({ imported }) => imported.map((one) => [one.question.code, one.question])),
  )
  const find = (given: string) => all.get(codes.find(given) ?? '') ?? null
  const asked = sections.filter(
    ({ imported, description }) => imported.length > 0 || description !== undefined,
  )
  const draft: Definition = {
    languages: [...languages],
    sections: asked.map(({ id, title, description, imported }) => ({
      id,
      title: cutTexts(title, 500, id, notes),
      ...(description !== undefined && { description: cutTexts(description, 10_000, id, notes) }),
      questions: imported.map((one) => withRules(one, { find, dialect, notes })),
    })),
  }
  if (codes.changed.length > 0) {
    notes.push({
      place: 'Codes',
      message: `Some names can't be codes: ${codes.changed.slice(0, 20).join(', ')}${codes.changed.length > 20 ? ` and ${codes.changed.length - 20} more` : ''}.`,
    })
  }
  const parsed = Definition.safeParse(withMainTexts(draft, languages[0] ?? 'en'))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new ImportFault(`${placeOf(draft, issue?.path ?? [])}: ${issue?.message ?? 'This is too large.'}`)
  }
  return { name, draft: withoutFaultyRules(parsed.data, notes), scoring: NO_SCORING, notes }
}

const TEXTS: readonly string[] = [
  'title',
  'description',
  'help',
  'text',
  'check',
  'required',
  'lowest',
  'highest',
]

/** The same, with every text in the default language: one that is missing there is taken from another language. */
function withMainTexts(value: unknown, main: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withMainTexts(item, main))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const [first] = entries
  if (TEXTS.includes(name)) {
    const isMissing = first !== undefined && !Object.hasOwn(value, main)
    return isMissing ? Object.fromEntries([[main, first[1]], ...entries]) : value
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, withMainTexts(item, main, key)]))
}

/** Texts that fit. */
function cutTexts(
  texts: Readonly<Record<string, string>>,
  most: number,
  place: string,
  notes: ImportNote[],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([language, text]) => {
      const tidy = text.toWellFormed().replaceAll('\0', '')
      if (tidy.length <= most) return [language, tidy]
      notes.push({ place, message: `A text was cut to ${most.toLocaleString('en-US')} characters.` })
      return [language, tidy.slice(0, most)]
    }),
  )
}

function withRules(
  { question, place, visible, required, check, calculate }: Imported,
  {
    find,
    dialect,
    notes,
  }: { find: (name: string) => Question | null; dialect: RuleDialect; notes: ImportNote[] },
): Question {
  const translated = (text: string, what: string): string | undefined => {
    const result = translateRule(text, { dialect, find, self: question })
    if (result.ok) return result.rule
    notes.push({ place, message: `${what} “${text}” was not imported: ${result.reason}` })
    return undefined
  }
  const shown = visible.map((text) => translated(text, 'The rule for showing it,'))
  // Half of a condition would show the question at the wrong time.
  const visibleIf = shown.every((one) => one !== undefined) ? join(shown) : undefined
  if (visibleIf === undefined && shown.length > 1) notes.push({ place, message: 'It is always shown.' })
  const requiredIf = required === null ? undefined : translated(required, 'The rule for requiring it,')
  const valid = check === null ? undefined : translated(check, 'The check')
  const base: Question = {
    ...question,
    title: cutTexts(question.title, 500, place, notes),
    ...(question.help !== undefined && { help: cutTexts(question.help, 10_000, place, notes) }),
    ...(visibleIf !== undefined && { visibleIf }),
    ...(requiredIf !== undefined && question.obligation === undefined && { requiredIf }),
    ...(valid !== undefined && { check: valid }),
  }
  if (base.type !== 'computed' || calculate === null) return base
  const formula = translateFormula(calculate, { dialect, find })
  if (!formula.ok)
    notes.push({ place, message: `The calculation “${calculate}” was not imported: ${formula.reason}` })
  return { ...base, calculate: formula.ok ? formula.rule : '' }
}

function join(rules: readonly (string | undefined)[]): string | undefined {
  const all = [...new Set(rules.filter((rule) => rule !== undefined))]
  if (all.length < 2) return all[0]
  return all.map((rule) => `(${rule})`).join(' && ')
}

const RULES = ['visibleIf', 'requiredIf', 'check'] as const

/** The draft without rules that our checks refuse, such as those of questions that need each other. */
function withoutFaultyRules(draft: Definition, notes: ImportNote[]): Definition {
  const faulty = new Map<string, string>()
  for (const { severity, path, message } of checkDefinition(draft).faults) {
    if (severity === 'error') faulty.set(path.join('.'), message)
  }
  const sections = draft.sections.map((section, at) => ({
    ...section,
    questions: section.questions.map((question, number) => {
      const left = { ...question }
      for (const name of RULES) {
        const rule = left[name]
        const message = faulty.get(`sections.${at}.questions.${number}.${name}`)
        if (rule === undefined || message === undefined) continue
        notes.push({
          place: `Question ${question.code}`,
          message: `The rule “${rule}” was not imported: ${message}`,
        })
        delete left[name]
      }
      return left
    }),
  }))
  return { ...draft, sections }
}

/** "Question age" or "Section 3". */
export function placeOf(
  draft: Readonly<{ sections: readonly { questions: readonly { code: string }[] }[] }>,
  path: readonly PropertyKey[],
): string {
  const [part, at, inner, number] = path
  if (part !== 'sections' || typeof at !== 'number') return 'The file'
  const question =
    inner === 'questions' && typeof number === 'number' ? draft.sections[at]?.questions[number] : undefined
  return question === undefined ? `Section ${at + 1}` : `Question ${question.code}`
}
