import type { ParticipantQuestionnaire } from '#contract/assessments/participants/participant-area.ts'
import { assembleAnswers } from '../answers/apply-mutations.ts'
import { localeFormat } from '#contract/entries/locale-format.ts'
import { showNumber } from '#contract/entries/parse-number.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import type { Question, QuestionColumn } from '#contract/questions/definition.ts'
import { isRecord } from '#contract/questions/reading.ts'
import { pickLanguage, textIn } from '#contract/questions/texts.ts'
import type { Participant } from '#server/http/actor.ts'

/** The content of a document, as the maker of PDFs takes it. */
export type AnswersDocument = Readonly<{
  title: string
  facts: readonly Readonly<{ title: string; value: string }>[]
  figures: readonly Readonly<{ title: string; value: string }>[]
  columns: readonly Readonly<{ title: string; kind: 'text'; share: number }>[]
  groups: readonly Readonly<{ title: string; rows: readonly (readonly string[])[] }>[]
  signature: string | null
}>
/** Makes a PDF of a document. */
export type MakePdf = (document: AnswersDocument) => Promise<Buffer>

const WORDS = {
  en: {
    question: 'Question',
    answer: 'Answer',
    target: 'For',
    period: 'Period',
    by: 'By',
    answered: 'Answered',
    yes: 'Yes',
    no: 'No',
    none: 'Not applicable',
    refused: 'Not answered',
    of: 'of',
  },
  es: {
    question: 'Pregunta',
    answer: 'Respuesta',
    target: 'Sobre',
    period: 'Período',
    by: 'De',
    answered: 'Respondidas',
    yes: 'Sí',
    no: 'No',
    none: 'No procede',
    refused: 'Sin respuesta',
    of: 'de',
  },
  fr: {
    question: 'Question',
    answer: 'Réponse',
    target: 'Pour',
    period: 'Période',
    by: 'De',
    answered: 'Réponses',
    yes: 'Oui',
    no: 'Non',
    none: 'Sans objet',
    refused: 'Sans réponse',
    of: 'sur',
  },
  de: {
    question: 'Frage',
    answer: 'Antwort',
    target: 'Für',
    period: 'Zeitraum',
    by: 'Von',
    answered: 'Beantwortet',
    yes: 'Ja',
    no: 'Nein',
    none: 'Nicht zutreffend',
    refused: 'Nicht beantwortet',
    of: 'von',
  },
} as const
type Words = (typeof WORDS)[keyof typeof WORDS]
type Language = { tag: string; all: readonly string[]; words: Words }

/** The answers of a questionnaire that a participant sees, question by question. Questions that aren't asked are left out. */
export function answersDocument(
  questionnaire: ParticipantQuestionnaire,
  reader: Participant,
): AnswersDocument {
  const { definition, evaluation, answered, questions } = questionnaire
  const words = wordsOf(reader.language)
  const language: Language = {
    tag: pickLanguage(definition.languages, reader.language),
    all: definition.languages,
    words,
  }
  const compiled = compileDefinition(definition)
  const answers = assembleAnswers(
    compiled,
    questionnaire.answers.map((answer, place) => ({ ...answer, place })),
  )
  const visible = new Set(evaluation.visible)
  const groups = definition.sections.map((section) => ({
    title: textIn(section.title, language.tag, language.all),
    rows: section.questions
      .filter(({ code, type }) => visible.has(code) && type !== 'note')
      .map((question) => [
        textIn(question.title, language.tag, language.all) || question.code,
        showAnswer(question, answers[question.code] ?? evaluation.computed[question.code] ?? null, language),
      ]),
  }))
  const day = new Intl.DateTimeFormat(reader.language, { dateStyle: 'medium', timeZone: 'UTC' })
  const period = [questionnaire.periodStart, questionnaire.periodEnd].map((one) => day.format(new Date(one)))
  return {
    title: questionnaire.assessmentName,
    facts: [
      { title: words.target, value: questionnaire.targetName },
      { title: words.period, value: period.join(' – ') },
      { title: words.by, value: reader.fullName },
    ],
    figures: [{ title: words.answered, value: `${answered} ${words.of} ${questions}` }],
    columns: [
      { title: words.question, kind: 'text', share: 55 },
      { title: words.answer, kind: 'text', share: 45 },
    ],
    groups: groups.filter(({ rows }) => rows.length > 0),
    signature: null,
  }
}

function wordsOf(language: string): Words {
  return language === 'es' || language === 'fr' || language === 'de' ? WORDS[language] : WORDS.en
}

/** An answer in words; '' without one. */
function showAnswer(question: Question, answer: unknown, language: Language): string {
  const { words } = language
  if (answer === null || answer === undefined) return ''
  if (isRecord(answer) && typeof answer.refused === 'string') return `${words.refused}: ${answer.refused}`
  if (isRecord(answer) && answer.notApplicable === true) return words.none
  if (typeof answer === 'boolean') return answer ? words.yes : words.no
  switch (question.type) {
    case 'number':
    case 'computed':
      return [number(answer, language), question.unit].filter(Boolean).join(' ')
    case 'single':
      return choice(question.choices, answer, language)
    case 'multiple':
      return list(answer)
        .map((one) => choice(question.choices, one, language))
        .join(', ')
    case 'matrix':
      return question.rows
        .map(({ code, title }) => {
          const chosen = isRecord(answer) ? answer[code] : undefined
          return `${textIn(title, language.tag, language.all)}: ${choice(question.choices, chosen, language)}`
        })
        .join('; ')
    case 'table':
      return list(answer)
        .map((row) => showRow(question.columns, row, language))
        .join('; ')
    case 'rating':
      return `${plain(answer)} / ${question.max}`
    case 'consent':
      return isRecord(answer) && answer.isGiven === true ? words.yes : words.no
    case 'file':
      return list(answer)
        .map((file) => (isRecord(file) ? plain(file.name) : ''))
        .join(', ')
    default:
      return isRecord(answer) ? Object.values(answer).map(plain).filter(Boolean).join(', ') : plain(answer)
  }
}

function showRow(columns: readonly QuestionColumn[], row: unknown, language: Language): string {
  return columns
    .flatMap((column) => {
      const cell: unknown = isRecord(row) ? row[column.code] : undefined
      if (cell === undefined || cell === '') return []
      if (column.type === 'boolean') return [cell === true ? language.words.yes : language.words.no]
      if (column.type === 'single') return [choice(column.choices, cell, language)]
      if (column.type !== 'number') return [plain(cell)]
      return [[number(cell, language), column.unit].filter(Boolean).join(' ')]
    })
    .join(', ')
}

function choice(
  choices: Extract<Question, { type: 'single' }>['choices'],
  value: unknown,
  { tag, all }: Language,
): string {
  if (isRecord(value)) return plain(value.other)
  const found = choices.find((one) => one.value === value)
  return found === undefined ? plain(value) : textIn(found.title, tag, all) || found.value
}

const number = (value: unknown, { tag }: Language): string =>
  typeof value === 'string' ? showNumber(value, localeFormat(tag)) : plain(value)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''
