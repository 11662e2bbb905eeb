import { sql } from 'kysely'
import { assessmentTargets } from '#contract/assessments/targets/targets.ts'
import { TARGET_STATES } from '#contract/assessments/targets/target-states.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import type { Question } from '#contract/questions/definition.ts'
import { showAnswer } from '#contract/questions/show-answer.ts'
import { textIn } from '#contract/questions/texts.ts'
import { type FrozenTarget, readAssessment, readFrozenTargets } from '#server/assessments/index.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import type { ReportContent, ReportSource } from './report.ts'

const NEEDS = can(Func.assessments, Opr.read)

/** The answers of one target with their points. Submitted and approved answers are those of the snapshot. */
export const assessmentAnswersReport: ReportSource = {
  name: 'assessment-answers',
  title: 'Answers of an assessment',
  about: assessmentTargets.get.summary,
  needs: NEEDS,
  of: 'target',
  async read({ db, actor, id }): Promise<ReportContent> {
    const [target] = await readFrozenTargets(db, sql`t.id = ${id}`)
    if (target === undefined) throw notFound('Target')
    const { definition, visible, scores } = target
    const points = new Map(scores?.questions.map((one) => [one.question, one]))
    return {
      title: `${target.assessmentName} - ${target.name}`,
      facts: factsOf(target, actor),
      figures: figuresOf(target),
      columns: [
        { title: 'Question', kind: 'text', share: 36 },
        { title: 'Answer', kind: 'decimal', share: 34 },
        { title: 'Unit', kind: 'text', share: 8 },
        { title: 'Answered', kind: 'text', share: 16 },
        { title: 'Points', kind: 'decimal', share: 6 },
        { title: 'Possible', kind: 'decimal', share: 6 },
      ],
      groups: definition.sections.flatMap(({ title, questions }) => {
        const asked = questions.filter(({ code, type }) => visible.has(code) && type !== 'note')
        if (asked.length === 0) return []
        return [
          {
            title: titleOf(title, target),
            rows: asked.map((question) => {
              const answered = target.answered.get(question.code)
              const score = points.get(question.code)
              return [
                titleOf(question.title, target) || question.code,
                valueOf(question, target),
                unitOf(question),
                answered === undefined ? '' : `${answered.by}, ${moment(answered.at, actor)}`,
                pointsOf(score?.contribution),
                pointsOf(score?.possible),
              ]
            }),
          },
        ]
      }),
      signature: target.state === 'approved' || target.state === 'closed' ? null : 'Not approved',
    }
  },
}

/** All questions of an assessment by target. A workbook only: targets are columns. */
export const assessmentMatrix: ReportSource = {
  name: 'assessment-matrix',
  title: 'Assessment by target',
  about: 'Every question of an assessment with the answers of all targets that you have access to.',
  formats: ['xlsx'],
  needs: NEEDS,
  of: 'assessment',
  async read({ db, actor, id }): Promise<ReportContent> {
    const { name, questionnaireName, questionnaireNumber, periodStart, periodEnd } = await readAssessment(
      db,
      id,
    )
    const targets = await readFrozenTargets(db, sql`t.assessment_id = ${id}`)
    const [first] = targets
    const sections = first?.definition.sections ?? []
    return {
      title: name,
      facts: [
        { title: 'Questionnaire', value: `${questionnaireName}, version ${questionnaireNumber}` },
        { title: 'Period', value: `${periodStart} to ${periodEnd}` },
        ...madeBy(actor),
      ],
      figures: [{ title: 'Targets', value: String(targets.length) }],
      columns: [
        { title: 'Question', kind: 'text', share: 40 },
        { title: 'Unit', kind: 'text', share: 10 },
        ...targets.map((target) => ({ title: target.name, kind: 'decimal' as const, share: 20 })),
      ],
      groups: [
        {
          title: 'Target',
          rows: [
            ['Organization', '', ...targets.map(({ organizationName }) => organizationName)],
            ['Status', '', ...targets.map(stateOf)],
            ['Score', '', ...targets.map(scoreOf)],
            ['SHA-256 of the submitted answers', '', ...targets.map(({ sha256 }) => sha256 ?? '')],
          ],
        },
        ...sections.flatMap(({ title, questions }) => {
          const asked = questions.filter(
            ({ code, type }) => type !== 'note' && targets.some(({ visible }) => visible.has(code)),
          )
          if (first === undefined || asked.length === 0) return []
          return [
            {
              title: titleOf(title, first),
              rows: asked.map((question) => [
                titleOf(question.title, first) || question.code,
                unitOf(question),
                ...targets.map((target) =>
                  target.visible.has(question.code) ? valueOf(question, target) : 'Not asked',
                ),
              ]),
            },
          ]
        }),
      ],
      signature: null,
    }
  },
}

function factsOf(target: FrozenTarget, actor: Member): ReportContent['facts'] {
  const { organizationName, name, periodStart, periodEnd, sha256, frozenAt, frozenBy } = target
  return [
    { title: 'Target', value: name === organizationName ? name : `${name} (${organizationName})` },
    { title: 'Period', value: `${periodStart} to ${periodEnd}` },
    { title: 'Status', value: stateOf(target) },
    ...(sha256 === null || frozenAt === null
      ? []
      : [
          { title: 'Answers as of', value: `${moment(frozenAt, actor)} (${frozenBy ?? ''})` },
          { title: 'SHA-256', value: sha256 },
        ]),
    ...madeBy(actor),
  ]
}

function figuresOf({ scores, visible, values, definition }: FrozenTarget): ReportContent['figures'] {
  const asked = definition.sections
    .flatMap(({ questions }) => questions)
    .filter(({ code, type }) => visible.has(code) && type !== 'note' && type !== 'computed')
  const total = scores?.total?.score ?? null
  return [
    { title: 'Questions', value: String(asked.length) },
    { title: 'Answered', value: String(asked.filter(({ code }) => Object.hasOwn(values, code)).length) },
    ...(total === null ? [] : [{ title: 'Score', value: total }]),
  ]
}

function madeBy(actor: Member): ReportContent['facts'] {
  const { userId, effectiveUserId, fullName, effectiveFullName } = actor
  return [
    { title: 'By', value: userId === effectiveUserId ? fullName : `${fullName} as ${effectiveFullName}` },
  ]
}

const stateOf = ({ state }: FrozenTarget): string =>
  TARGET_STATES.find(({ value }) => value === state)?.label ?? state
const scoreOf = ({ scores, sha256 }: FrozenTarget): string =>
  sha256 === null ? '' : (scores?.total?.score ?? '')

function titleOf(
  texts: Readonly<Record<string, string>>,
  { definition: { languages } }: FrozenTarget,
): string {
  return textIn(texts, languages[0] ?? 'en', languages)
}

/** Points as a number of the workbook: "50.0" would stay text, because its digits would change. */
const pointsOf = (points: string | null | undefined): string => points?.replace(/\.0+$/, '') ?? ''

const unitOf = (question: Question): string => ('unit' in question ? (question.unit ?? '') : '')

/** A number as its digits, exactly as it was submitted; anything else in words. */
function valueOf(question: Question, target: FrozenTarget): string {
  const value = target.values[question.code]
  const isNumber =
    question.type === 'number' || (question.type === 'computed' && question.result === 'number')
  if (isNumber && typeof value === 'string') return value
  if (question.type === 'rating' && typeof value === 'number') return String(value)
  const { languages } = target.definition
  const { facilities } = target
  return showAnswer(question, value, {
    tag: languages[0] ?? 'en',
    all: languages,
    facilities,
    isMultiline: true,
  })
}

function moment(at: string, { timeZone }: Member): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hour12: false,
  }).format(new Date(at))
}
