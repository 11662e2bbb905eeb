// Changes of a definition, without React. Each returns new content; the content that it starts from stays.
import { tokensOf } from '#contract/expressions/tokens.ts'
import { isRuleName } from '#contract/questions/check-rules.ts'
import type { Definition, Question, QuestionType, Section } from '#contract/questions/definition.ts'
import { groupAround } from '#contract/questions/one-of.ts'
import { ruleVariables } from '#contract/questions/rule-names.ts'
import type { QuestionScore, Scoring } from '#contract/questions/scores/scoring.ts'
import { isScorable } from '#contract/questions/scores/scorable.ts'
import { blankQuestion, withType } from './question-types.ts'

/** What the builder edits: the questions, and what names them by their codes. */
export type Content = Readonly<{
  draft: Definition
  scoring: Scoring
  /** Settings that name a question: `{ email: 'sender_email' }`. */
  named: Readonly<Record<string, string>>
}>
/** A section, or one of its questions. */
export type ChosenQuestion = Readonly<{ section: string; question: string | null }>
/** What a section is called: a form has steps. */
export type SectionNoun = 'step' | 'section'
/** Changed content, and what is chosen in it. */
export type Change = Readonly<{ content: Content; chosen: ChosenQuestion }>

type QuestionPosition = Readonly<{ section: number; at: number; question: Question }>

/** All questions, in order. */
export const questionsIn = ({ draft }: Content): Question[] =>
  draft.sections.flatMap(({ questions }) => questions)

/** Where a question is; null if no question has this code. */
export function placeOf({ draft }: Content, code: string): QuestionPosition | null {
  for (const [section, { questions }] of draft.sections.entries()) {
    const at = questions.findIndex((question) => question.code === code)
    const question = questions[at]
    if (question !== undefined) return { section, at, question }
  }
  return null
}

/** Adds a question of a type after the chosen one, or at the end of the chosen step. */
export function addQuestion(
  content: Content,
  chosen: ChosenQuestion,
  type: QuestionType,
  noun: SectionNoun = 'step',
): Change {
  const { inside, section, at } = placeAfter(content, chosen, noun)
  const [language = 'en'] = content.draft.languages
  const question = blankQuestion(type, newCode(inside, CODES[type] ?? type), language)
  return insert(inside, { section, at, question })
}

/** Where a new question goes: after the chosen one, or at the end of the chosen section, which may have to be added. */
function placeAfter(
  content: Content,
  chosen: ChosenQuestion,
  noun: SectionNoun,
): Readonly<{ inside: Content; section: number; at: number }> {
  const sections =
    content.draft.sections.length === 0 ? [blankSection(content, noun)] : content.draft.sections
  const inside: Content = { ...content, draft: { ...content.draft, sections: [...sections] } }
  const after = chosen.question === null ? null : placeOf(inside, chosen.question)
  const section =
    after?.section ??
    Math.max(
      sections.findIndex(({ id }) => id === chosen.section),
      0,
    )
  const own = sections[section]?.questions ?? []
  const at = after === null ? own.length : endOfGroup(own, after)
  return { inside, section, at }
}

/** The place behind a question, and behind those of its group: they stay next to each other. */
function endOfGroup(questions: readonly Question[], { question, at }: QuestionPosition): number {
  const group = groupAround(questions, question)
  let end = at + 1
  while (group.some((one) => one === questions[end])) end += 1
  return end
}

/**
 * Adds a question of another questionnaire after the chosen one, with its points. It keeps its code if that is free. Rules
 * that use questions which aren't here are left out. @returns the change, and the rules that were left out
 */
export function adoptQuestion(
  content: Content,
  chosen: ChosenQuestion,
  { question, score }: Readonly<{ question: Question; score: QuestionScore | null }>,
): Readonly<{ change: Change; without: readonly string[] }> {
  const { inside, section, at } = placeAfter(content, chosen, 'section')
  const code = newCode(inside, question.code)
  const known = new Set(Object.keys(ruleVariables(inside.draft)))
  const { oneOf: _, ...own } = question
  const copy: Question = { ...own, code }
  const editions = new Set(inside.draft.editions?.map((one) => one.code))
  const obligations = copy.obligations?.filter(
    ({ edition }) => edition === undefined || editions.has(edition),
  )
  if (obligations !== undefined) copy.obligations = obligations
  const without: string[] = []
  for (const name of RULES) {
    const rule = copy[name]
    if (rule === undefined) continue
    const renamed = renameIn(rule, question.code, code)
    const names = namesIn(renamed)
    if (names.every((one) => one === code || known.has(one))) copy[name] = renamed
    else {
      without.push(rule)
      delete copy[name]
    }
  }
  const { content: added, chosen: next } = insert(inside, { section, at, question: copy })
  const isScored = score !== null && isScorable(copy, score.kind)
  const scored = isScored ? changeScore(added, code, { ...score, question: code }) : added
  return { change: { content: scored, chosen: next }, without }
}

/** The names that a rule uses, as far as they could be questions. */
function namesIn(rule: string): string[] {
  const tokens = tokensOf(rule)
  return tokens.flatMap(({ kind, text, to }) => {
    // `today()` is a function, and `in` an operator.
    const isCall = rule.slice(to).trimStart().startsWith('(')
    return kind === 'word' && !isCall && isRuleName(text) ? [text] : []
  })
}

/** Adds a copy of a question below it, with a code of its own and the same points. */
export function duplicateQuestion(content: Content, code: string): Change | null {
  const place = placeOf(content, code)
  if (place === null) return null
  const copy = { ...place.question, code: newCode(content, code.replace(/\d+$/, '') || code) }
  const { content: changed, chosen } = insert(content, { ...place, at: place.at + 1, question: copy })
  const score = content.scoring.questions.find(({ question }) => question === code)
  return {
    content:
      score === undefined ? changed : changeScore(changed, copy.code, { ...score, question: copy.code }),
    chosen,
  }
}

/** Removes a question. Rules that use it stay, and are reported as faults. */
export function removeQuestion(content: Content, code: string): Change | null {
  const place = placeOf(content, code)
  if (place === null) return null
  const { section, at } = place
  const draft = withSection(content.draft, section, ({ questions, ...rest }) => ({
    ...rest,
    questions: questions.toSpliced(at, 1),
  }))
  const rest = draft.sections[section]?.questions ?? []
  return {
    content: forget({ ...content, draft }, new Set([code])),
    chosen: {
      section: draft.sections[section]?.id ?? '',
      question: (rest[at] ?? rest[at - 1])?.code ?? null,
    },
  }
}

/** Moves a question one place up or down, into the neighboring step at the end of its own. */
export function moveQuestion(content: Content, code: string, by: -1 | 1): Change | null {
  const place = placeOf(content, code)
  if (place === null) return null
  const { section, at } = place
  const own = content.draft.sections[section]?.questions.length ?? 0
  if (at + by >= 0 && at + by < own) return moveQuestionTo(content, code, { section, at: at + by })
  const next = content.draft.sections[section + by]
  if (next === undefined) return null
  return moveQuestionTo(content, code, { section: section + by, at: by === 1 ? 0 : next.questions.length })
}

/** Moves a question to a place. `at` counts without the moved question. */
export function moveQuestionTo(
  content: Content,
  code: string,
  to: Readonly<{ section: number; at: number }>,
): Change | null {
  const place = placeOf(content, code)
  if (place === null || content.draft.sections[to.section] === undefined) return null
  const without = withSection(content.draft, place.section, (section) => ({
    ...section,
    questions: section.questions.toSpliced(place.at, 1),
  }))
  return insert({ ...content, draft: without }, { ...to, question: place.question })
}

/**
 * Moves a question to the place of another outline entry, as a drag does. `over` is a question, or the title of a step. What
 * is dropped above the first title belongs to the first step.
 */
export function dropQuestion(content: Content, code: string, over: ChosenQuestion): Change | null {
  const { sections } = content.draft
  const entries = sections.flatMap(({ id, questions }) => [
    { section: id, question: null },
    ...questions.map((question) => ({ section: id, question })),
  ])
  const from = entries.findIndex(({ question }) => question?.code === code)
  const to = entries.findIndex(
    ({ section, question }) =>
      (question?.code ?? null) === over.question && (question !== null || section === over.section),
  )
  const moved = entries[from]
  if (moved === undefined || to < 0 || from === to) return null
  const ordered = entries.toSpliced(from, 1).toSpliced(to, 0, moved)
  const groups = sections.map((): Question[] => [])
  let at = 0
  let titles = 0
  for (const { question } of ordered) {
    if (question === null) at = titles++
    else groups[at]?.push(question)
  }
  const draft = {
    ...content.draft,
    sections: sections.map((section, index) => ({ ...section, questions: groups[index] ?? [] })),
  }
  const changed: Content = { ...content, draft }
  const place = placeOf(changed, code)
  return { content: changed, chosen: { section: sections[place?.section ?? 0]?.id ?? '', question: code } }
}

/** Adds an empty step after the chosen one. */
export function addSection(content: Content, chosen: ChosenQuestion, noun: SectionNoun = 'step'): Change {
  const { sections } = content.draft
  const section = blankSection(content, noun)
  const at = sections.findIndex(({ id }) => id === chosen.section) + 1 || sections.length
  const draft = { ...content.draft, sections: sections.toSpliced(at, 0, section) }
  return { content: { ...content, draft }, chosen: { section: section.id, question: null } }
}

/** Moves a step up or down. */
export function moveSection(content: Content, id: string, by: -1 | 1): Change | null {
  const { sections } = content.draft
  const at = sections.findIndex((section) => section.id === id)
  const moved = sections[at]
  if (moved === undefined || sections[at + by] === undefined) return null
  const draft = { ...content.draft, sections: sections.toSpliced(at, 1).toSpliced(at + by, 0, moved) }
  return { content: { ...content, draft }, chosen: { section: id, question: null } }
}

/** Removes a step with its questions. */
export function removeSection(content: Content, id: string): Change | null {
  const at = content.draft.sections.findIndex((section) => section.id === id)
  const removed = content.draft.sections[at]
  if (removed === undefined) return null
  const codes = new Set(removed.questions.map(({ code }) => code))
  const sections = content.draft.sections.toSpliced(at, 1)
  const { scoring } = content
  const without: Scoring = {
    ...scoring,
    sections: scoring.sections.filter(({ section }) => section !== id),
    bands: scoring.bands.map((band) =>
      band.needs === undefined
        ? band
        : { ...band, needs: band.needs.filter(({ section }) => section !== id) },
    ),
  }
  return {
    content: forget({ ...content, draft: { ...content.draft, sections }, scoring: without }, codes),
    chosen: { section: (sections[at] ?? sections[at - 1])?.id ?? '', question: null },
  }
}

/** Replaces the title, text or rule of a step. */
export function changeSection(content: Content, id: string, change: Partial<Section>): Content {
  const sections = content.draft.sections.map((section) =>
    section.id === id ? withoutAbsent({ ...section, ...change }) : section,
  )
  return { ...content, draft: { ...content.draft, sections } }
}

/** Replaces a question that keeps its code. */
export function changeQuestion(content: Content, question: Question): Content {
  const place = placeOf(content, question.code)
  if (place === null) return content
  const draft = withSection(content.draft, place.section, (section) => ({
    ...section,
    questions: section.questions.with(place.at, withoutAbsent(question)),
  }))
  return { ...content, draft }
}

/** Changes the type of a question. Points stay if the new type can have them. */
export function changeType(content: Content, question: Question, type: QuestionType): Content {
  const changed = withType(question, type)
  const score = content.scoring.questions.find((one) => one.question === question.code)
  const next = changeQuestion(content, changed)
  return score === undefined || isScorable(changed, score.kind)
    ? next
    : changeScore(next, question.code, null)
}

/** Why a question can't get this code, as a sentence; null if it can. */
export function codeFault(content: Content, from: string, to: string): string | null {
  if (!/^[A-Za-z]\w*$/.test(to)) return 'Use letters, digits and _, starting with a letter.'
  if (to.length > 60) return 'A code may have at most 60 characters.'
  if (to !== from && placeOf(content, to) !== null) return 'Another question has this code.'
  return null
}

/** Renames the code of a question, also in the rules and contact details that use it. */
export function renameCode(content: Content, from: string, to: string): Change | null {
  const place = placeOf(content, from)
  if (place === null || codeFault(content, from, to) !== null) return null
  const sections = content.draft.sections.map(({ questions, ...section }) => ({
    ...section,
    ...(section.visibleIf !== undefined && { visibleIf: renameIn(section.visibleIf, from, to) }),
    questions: questions.map((question) => {
      const own = question.code === from ? { ...question, code: to } : { ...question }
      for (const name of RULES) {
        const rule = own[name]
        if (rule !== undefined) own[name] = renameIn(rule, from, to)
      }
      if (own.type === 'computed') own.calculate = renameIn(own.calculate, from, to)
      return own
    }),
  }))
  const named = Object.fromEntries(
    Object.entries(content.named).map(([name, code]) => [name, code === from ? to : code]),
  )
  const questions = content.scoring.questions.map((score) =>
    score.question === from ? { ...score, question: to } : score,
  )
  return {
    content: { draft: { ...content.draft, sections }, named, scoring: { ...content.scoring, questions } },
    chosen: { section: sections[place.section]?.id ?? '', question: to },
  }
}

/** Without what names these questions. */
function forget(content: Content, codes: ReadonlySet<string>): Content {
  const { scoring } = content
  return {
    ...content,
    named: Object.fromEntries(Object.entries(content.named).filter(([, code]) => !codes.has(code))),
    scoring: { ...scoring, questions: scoring.questions.filter(({ question }) => !codes.has(question)) },
  }
}

/** Replaces how a question gets points; null removes it. */
export function changeScore(content: Content, code: string, score: QuestionScore | null): Content {
  const { scoring } = content
  const at = scoring.questions.findIndex(({ question }) => question === code)
  const others = scoring.questions.filter(({ question }) => question !== code)
  const questions =
    score === null ? others : others.toSpliced(at === -1 ? others.length : at, 0, withoutAbsent(score))
  return { ...content, scoring: { ...scoring, questions } }
}

const RULES = ['visibleIf', 'requiredIf', 'check'] as const

/** Replaces a name in a rule, but not the same word in a quoted text. */
function renameIn(rule: string, from: string, to: string): string {
  return tokensOf(rule)
    .filter(({ kind, text }) => kind === 'word' && text === from)
    .toReversed()
    .reduce((text, token) => `${text.slice(0, token.from)}${to}${text.slice(token.to)}`, rule)
}

/** The questions and steps whose rules use a question, by title. */
export function usesOf({ draft }: Content, code: string): string[] {
  const isUsed = (rule: string | undefined) =>
    rule !== undefined && tokensOf(rule).some(({ kind, text }) => kind === 'word' && text === code)
  return draft.sections.flatMap(({ visibleIf, questions, ...section }) => [
    ...(isUsed(visibleIf) ? [textOf(section.title) || section.id] : []),
    ...questions
      .filter(
        (question) =>
          RULES.some((name) => isUsed(question[name])) ||
          (question.type === 'computed' && isUsed(question.calculate)),
      )
      .map((question) => textOf(question.title) || question.code),
  ])
}

const textOf = (texts: Readonly<Record<string, string>>): string => Object.values(texts)[0] ?? ''

/**
 * Gives each consent the version that its text needs: the published one while nothing differs from it, otherwise the next,
 * so that stored consents always refer to the text that was shown. `published`: the versions of the form, newest first.
 */
export function withConsentVersions(content: Content, published: readonly Definition[]): Content {
  const sections = content.draft.sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) => {
      if (question.type !== 'consent') return question
      const former = published.flatMap((definition) => consentsOf(definition, question.code))
      const [latest] = former
      if (latest === undefined) return question
      const isSame = consentKey(latest) === consentKey(question)
      const version = isSame ? latest.version : Math.max(...former.map((one) => one.version)) + 1
      return version === question.version ? question : { ...question, version }
    }),
  }))
  return { ...content, draft: { ...content.draft, sections } }
}

type Consent = Extract<Question, { type: 'consent' }>

const consentsOf = ({ sections }: Definition, code: string): Consent[] =>
  sections.flatMap(({ questions }) =>
    questions.filter(
      (question): question is Consent => question.type === 'consent' && question.code === code,
    ),
  )

const consentKey = ({ text, purpose, channels }: Consent): string =>
  JSON.stringify([
    Object.entries(text).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    purpose,
    channels.toSorted(),
  ])

/** A section without questions, with an ID that no other has. */
function blankSection({ draft: { sections, languages } }: Content, noun: SectionNoun): Section {
  const ids = new Set(sections.map(({ id }) => id))
  let number = sections.length + 1
  while (ids.has(`${noun}${number}`)) number += 1
  const title = noun === 'step' ? 'Step' : 'Section'
  return {
    id: `${noun}${number}`,
    title: { [languages[0] ?? 'en']: `${title} ${sections.length + 1}` },
    questions: [],
  }
}

/** Codes of the usual question of a type; otherwise the type. */
const CODES: Partial<Record<QuestionType, string>> = {
  text: 'question',
  longText: 'message',
  single: 'choice',
  multiple: 'choices',
  boolean: 'yes_or_no',
  computed: 'result',
  postalCode: 'postal_code',
}

/** A code that no question has: `email`, `email2` and so on. */
function newCode(content: Content, stem: string): string {
  return freeName(new Set(questionsIn(content).map(({ code }) => code)), stem)
}

/** The stem, or the stem with the first number that is free. */
export function freeName(taken: ReadonlySet<string>, stem: string): string {
  if (!taken.has(stem)) return stem
  let number = 2
  while (taken.has(`${stem}${number}`)) number += 1
  return `${stem}${number}`
}

function insert(content: Content, { section, at, question }: QuestionPosition): Change {
  const draft = withSection(content.draft, section, (one) => ({
    ...one,
    questions: one.questions.toSpliced(at, 0, question),
  }))
  return {
    content: { ...content, draft },
    chosen: { section: draft.sections[section]?.id ?? '', question: question.code },
  }
}

function withSection(draft: Definition, at: number, change: (section: Section) => Section): Definition {
  return {
    ...draft,
    sections: draft.sections.map((section, index) => (index === at ? change(section) : section)),
  }
}

/** Without properties that are undefined: the API accepts only absent ones. */
function withoutAbsent<T extends object>(value: T): T {
  const kept = { ...value }
  for (const name in kept) if (kept[name] === undefined) delete kept[name]
  return kept
}
