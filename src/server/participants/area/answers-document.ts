import type { ParticipantQuestionnaire } from '#contract/participants/area/participant-area.ts'
import { assembleAnswers } from '#server/assessments/index.ts'
import { compileDefinition } from '#contract/questions/compile.ts'
import { type AnswerLanguage, showAnswer } from '#contract/questions/show-answer.ts'
import { pickLanguage, textIn } from '#contract/questions/texts.ts'
import type { Participant } from '#server/http/actor.ts'
import type { PrintedDocument } from '#server/printed-document.ts'

const WORDS = {
  en: {
    question: 'Question',
    answer: 'Answer',
    target: 'For',
    period: 'Period',
    by: 'By',
    submitted: 'Submitted',
    receipt: 'Receipt',
    answered: 'Answered',
    of: 'of',
  },
  es: {
    question: 'Pregunta',
    answer: 'Respuesta',
    target: 'Sobre',
    period: 'Período',
    by: 'De',
    submitted: 'Enviado',
    receipt: 'Recibo',
    answered: 'Respondidas',
    of: 'de',
  },
  fr: {
    question: 'Question',
    answer: 'Réponse',
    target: 'Pour',
    period: 'Période',
    by: 'De',
    submitted: 'Envoyé',
    receipt: 'Reçu',
    answered: 'Réponses',
    of: 'sur',
  },
  de: {
    question: 'Frage',
    answer: 'Antwort',
    target: 'Für',
    period: 'Zeitraum',
    by: 'Von',
    submitted: 'Abgegeben',
    receipt: 'Quittung',
    answered: 'Beantwortet',
    of: 'von',
  },
} as const
type Words = (typeof WORDS)[keyof typeof WORDS]

/** The answers of a questionnaire that a participant sees, question by question. Questions that aren't asked are left out. */
export function answersDocument(
  questionnaire: ParticipantQuestionnaire,
  reader: Participant,
): PrintedDocument {
  const { definition, evaluation, answered, questions } = questionnaire
  const words = wordsOf(reader.language)
  const language: AnswerLanguage = {
    tag: pickLanguage(definition.languages, reader.language),
    all: definition.languages,
    facilities: questionnaire.facilities,
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
      ...receiptFacts(questionnaire, reader, words),
    ],
    figures: [{ title: words.answered, value: `${answered} ${words.of} ${questions}` }],
    columns: [
      { title: words.question, kind: 'text', share: 55 },
      { title: words.answer, kind: 'text', share: 45 },
    ],
    groups: groups.filter(({ rows }) => rows.length > 0),
    signature: null,
    language: language.tag,
  }
}

function receiptFacts(
  { receipt }: ParticipantQuestionnaire,
  { language, timeZone }: Participant,
  words: Words,
): PrintedDocument['facts'] {
  if (receipt === null) return []
  const time = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })
  const at = { title: words.submitted, value: time.format(new Date(receipt.submittedAt)) }
  return receipt.number === null ? [at] : [at, { title: words.receipt, value: receipt.number }]
}

function wordsOf(language: string): Words {
  return language === 'es' || language === 'fr' || language === 'de' ? WORDS[language] : WORDS.en
}
