import { answersOf, campaignOf, FIELD_NAMES, shownName } from '#contract/marketing/forms/form-body.ts'
import type { Suspicion } from '#contract/leads/inbox/suspicions.ts'
import type { AnswerProblem, Evaluation } from '#contract/questions/evaluate.ts'
import { isMissing, questionsOfProblem } from '#contract/questions/one-of.ts'
import { writeFormEntries } from '#contract/questions/reading/form-entries.ts'
import { problemMessage } from '#contract/questions/problem-messages.ts'
import { textIn } from '#contract/questions/texts.ts'
import { clock } from '#server/clock.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addressKey } from '#server/identity/index.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { Secrets } from '#server/secrets.ts'
import { sendAutomaticReply } from './auto-reply.ts'
import { claimFormFiles, keepFormFiles, type PageFiles } from './form-files.ts'
import { countForm } from './form-limits.ts'
import { type FormToken, newFormToken, writeFormToken } from './form-token.ts'
import { hiddenOf, MAX_URL, type UnprovenView, viewOf } from './form-view.ts'
import { evaluateForm, type Opened, sentLanguage, stepsOf } from './open-form.ts'
import { isProven, spendProof } from './proof-of-work.ts'
import type { PublicForm } from './public-forms.ts'
import type { RefusedFile, SentForm } from './read-sent-form.ts'
import {
  findPlace,
  lockSubmission,
  pageKeyOf,
  saveSubmission,
  type StoredSubmission,
} from './save-submission.ts'
import { suspicionsOf } from './spam.ts'
import { followUpOf } from './unfinished-forms.ts'
import { readTestMark } from './test-link.ts'
import { knownAddress } from './page-address.ts'
import { isConditional } from '#public/conditional-fields.ts'

/** `view`: the page to show next, with its status. Null: the form is finished. */
type Received = { view: UnprovenView; status: 200 | 422 } | null

export type SentPage = SentForm & {
  opened: Opened
  /** Null if the page wasn't ours. */
  token: FormToken | null
  /** For a page that isn't ours. */
  newSentKey: string
  senderAddress: string
  /**
   * Of a form that was received while the database was away: when, and whether its browser solved the proof of work. Its sender
   * can't correct anything, so it is stored in any case.
   */
  waited: Readonly<{ receivedAt: Date; isProven: boolean }> | null
}

/** Receives a page of a form: stores it, or says what is wrong with it. @throws Failure 429 */
export async function receivePage(
  db: Database,
  { secrets, putMail }: { secrets: Secrets; putMail: Outbox['put'] },
  sent: SentPage,
): Promise<Received> {
  const { opened, token, waited } = sent
  const { form, receiver, vehicle } = opened
  const page = token ?? { ...newFormToken(form), sentKey: sent.newSentKey }
  const { sentKey } = page
  const pageOf = { form, pageKey: pageKeyOf(sentKey) }
  // The same page sent twice at once is one submission, uses one proof, and counts once.
  await acquireAdvisoryLock(db, `form page ${form.customerId} ${form.id} ${pageOf.pageKey}`)
  const isSolved =
    waited?.isProven ?? (await isProven(secrets, sentKey, sent.body.get(FIELD_NAMES.proof) ?? ''))
  const kept = await keepFormFiles(db, pageOf, { receiver, files: sent.files, isProven: isSolved })
  const body = withFiles(sent.body, kept.sent)
  const stored = await lockSubmission(db, form, sentKey)
  const test = readTestMark(secrets, form, body.get(FIELD_NAMES.test), page.openedAt)
  const { evaluation, step, problems, unseen, view } = evaluateStep(opened, {
    test,
    body,
    stored,
    files: kept.files,
    refused: sent.refused,
    token: writeFormToken(secrets, form, page),
    sentKey,
    isFinal: waited !== null,
  })
  if (waited === null && body.has(FIELD_NAMES.more))
    return { view: { ...view, context: { ...view.context, problems: [] } }, status: 200 }
  const { answers } = evaluation
  const isOwnProof =
    isSolved && (await spendProof(db, body.get(FIELD_NAMES.proof) ?? '', { sentKey, step, answers }))
  if (waited === null && problems.length > 0) return { view, status: 422 }
  if (view.added.length > 0) return { view, status: 200 }
  const at = view.steps.indexOf(step)
  // Only a finished one has a lead, which shows what is wrong with it.
  const isFinished = problems.length > 0 || (at === view.steps.length - 1 && unseen.length === 0)
  const place = await findPlace(db, { form, sentKey, stored, answers })
  const suspicions = place.isSame
    ? []
    : await judge(db, { sent, answers, isNew: place.stored === null, isProven: isOwnProof, problems })
  const { language } = view.context
  const saved = await saveSubmission(db, {
    form,
    receiver,
    vehicle,
    place,
    evaluation,
    isFinished,
    progress: {
      step: at + 1,
      steps: view.steps.length,
      ...followUpOf(form, {
        evaluation,
        sections: view.steps.slice(0, at + 1),
        wasTold: body.get(FIELD_NAMES.followUp) === '1',
      }),
    },
    suspicions,
    checkNote: problems.length === 0 ? null : noteOf(opened.form, problems, body),
    receivedAt: waited?.receivedAt ?? null,
    sent: {
      language,
      pageUrl: knownAddress(body.get(FIELD_NAMES.page), MAX_URL),
      referrer: knownAddress(body.get(FIELD_NAMES.referrer), MAX_URL),
      campaign: campaignOf(body),
      senderAddress: sent.senderAddress,
      isTest: test === 'valid',
    },
  })
  await claimFormFiles(db, pageOf, { submissionId: saved.id, answers })
  if (isFinished) {
    if (saved.isTrusted && saved.leadId !== null) {
      await sendAutomaticReply(db, putMail, {
        form,
        receiver,
        vehicle,
        answers,
        language,
        leadId: saved.leadId,
      })
    }
    return null
  }
  const token2 = writeFormToken(secrets, form, { ...page, sentKey: saved.sentKey })
  // Answers may lead to questions of a former step: it is shown again, and goes on from there.
  const former = unseen[0]?.section
  const next = former ?? view.steps[at + 1] ?? step
  const added = unseen.filter(({ section }) => section === former).map(({ question }) => question)
  return { view: nextView(view, { step: next, token: token2, saved, answers, added }), status: 200 }
}

/** Why what was sent is kept in quarantine; empty if it isn't. @throws Failure 429 */
async function judge(
  db: Database,
  of: {
    sent: SentPage
    answers: Evaluation['answers']
    /** Nothing was stored from this page before. */
    isNew: boolean
    isProven: boolean
    problems: readonly AnswerProblem[]
  },
): Promise<Suspicion[]> {
  const { sent, answers, isProven: isOwnProof } = of
  const { form } = sent.opened
  const suspicions = suspicionsOf({
    body: sent.body,
    answers,
    token: sent.token,
    receivedAt: sent.waited?.receivedAt.getTime() ?? clock.now(),
    // A bot that skips the last step is judged by the step it sent.
    isProven: isOwnProof,
    requiresProof: form.requiresProof,
  })
  const network = addressKey(sent.senderAddress)
  const counted = of.isNew
    ? await countForm(db, {
        network,
        isProven: isOwnProof,
        isSuspicious: suspicions.length > 0,
        isAccepted: sent.waited !== null,
      })
    : []
  return [
    ...suspicions,
    ...counted,
    ...(of.problems.length > 0 ? (['unchecked'] as const) : []),
    ...(form.isClosed ? (['closed'] as const) : []),
  ]
}

/** What is wrong with each answer, and what was typed there. */
export function noteOf(
  { compiled }: Pick<Opened['form'], 'compiled'>,
  problems: readonly AnswerProblem[],
  body: URLSearchParams,
): string {
  const { byCode, definition } = compiled
  const [language = 'en'] = definition.languages
  const typed = Map.groupBy(
    [...body].filter(([, value]) => value !== ''),
    ([name]) => name.split('.')[0] ?? '',
  )
  let note = ''
  for (const { question: code, message, oneOf } of problems) {
    const title = textIn(byCode.get(code)?.question.title, language, definition.languages) || code
    const values = typed.get(code)?.map(([, value]) => value) ?? []
    const about = oneOf === undefined ? `${title}: ` : ''
    note += `${note === '' ? '' : '\n'}${about}${message}${values.length === 0 ? '' : ` (${values.join(', ')})`}`
    if (note.length > MAX_NOTE) break
  }
  return note.slice(0, MAX_NOTE)
}
const MAX_NOTE = 10_000

/** The step after one that was stored, with what was typed into it before. */
function nextView(
  view: UnprovenView,
  of: {
    step: string
    token: string
    saved: { sentKey: string }
    answers: Evaluation['answers']
    added: readonly string[]
  },
): UnprovenView {
  const { context, compiled } = view
  const typed = new URLSearchParams(writeFormEntries(compiled, of.answers, context.language))
  return {
    ...view,
    step: of.step,
    token: of.token,
    sentKey: of.saved.sentKey,
    added: of.added,
    context: { ...context, typed },
  }
}

/** The body as if the browser had sent the IDs of the new files with those of the former ones. */
function withFiles(
  body: URLSearchParams,
  sent: readonly { question: string; id: string }[],
): URLSearchParams {
  const all = new URLSearchParams(body)
  for (const { question, id } of sent) if (!all.has(question, id)) all.append(question, id)
  return all
}

/** Evaluates the sent step together with those before it. */
export function evaluateStep(
  opened: Opened,
  of: {
    body: URLSearchParams
    stored: StoredSubmission | null
    files: PageFiles
    refused: readonly RefusedFile[]
    token: string
    sentKey: string
    test: ReturnType<typeof readTestMark>
    /** Its sender won't see another page: what is missing is missing. */
    isFinal?: boolean
  },
): {
  evaluation: Evaluation
  step: string
  problems: readonly AnswerProblem[]
  /** Questions of former steps that no page has shown. */
  unseen: readonly Unseen[]
  view: UnprovenView
} {
  const { body, stored, files, token, sentKey } = of
  const { form } = opened
  const { compiled } = form
  const { sections } = compiled.definition
  const named = body.get(FIELD_NAMES.step) ?? ''
  const step = sections.some(({ id }) => id === named) ? named : (sections[0]?.id ?? '')
  const language = sentLanguage(form, body.get(FIELD_NAMES.language))
  const sent = withStoredFiles(
    answersOf(body, compiled, { sections: new Set([step]), language }),
    opened,
    files,
  )
  const own = sections.find(({ id }) => id === step)?.questions.map(({ code }) => code) ?? []
  const kept = Object.fromEntries(
    Object.entries(stored?.answers ?? {}).filter(([code]) => !own.includes(code)),
  )
  const evaluation = evaluateForm(opened, { ...kept, ...sent }, language)
  const upTo = sections.slice(0, sections.findIndex(({ id }) => id === step) + 1).map(({ id }) => id)
  const unseen = of.isFinal === true ? [] : unseenQuestions(form, { evaluation, sections: upTo, body })
  const ahead = new Set(unseen.map(({ question }) => question))
  const found = withoutConsequences(
    form,
    evaluation.problems.filter(
      // What no page has asked can't be wrong yet.
      (problem) =>
        (problem.section === null || upTo.includes(problem.section)) &&
        questionsOfProblem(problem).every((code) => !ahead.has(code)),
    ),
  )
  const problems = withRefusedFiles(found, opened, { refused: of.refused, evaluation, language })
  // The sender skipped a step: show the first one that lacks something.
  const shown = problems[0]?.section ?? step
  const isFramed = body.get(FIELD_NAMES.frame) === '1' && form.embedOrigins.length > 0
  const view = viewOf(opened, {
    evaluation,
    steps: stepsOf(form, evaluation),
    step: shown,
    language,
    token,
    sentKey,
    typed:
      shown === step ? body : new URLSearchParams(writeFormEntries(compiled, evaluation.answers, language)),
    files,
    problems: problems.filter(({ section }) => section === null || section === shown),
    shown: conditionalQuestions(form).filter((code) => body.has(shownName(code))),
    added: unseen.filter(({ section }) => section === shown).map(({ question }) => question),
    test: of.test,
    hidden: hiddenOf(opened, {
      query: body,
      mark: of.test === null ? null : body.get(FIELD_NAMES.test),
      page: body.get(FIELD_NAMES.page),
      referrer: body.get(FIELD_NAMES.referrer),
      isFramed,
    }),
  })
  return {
    evaluation,
    step: shown,
    problems,
    unseen: unseen.filter(({ section }) => section !== step),
    view,
  }
}

/** A question that is asked since its visitor answered others, and its step. */
type Unseen = Readonly<{ question: string; section: string }>

const conditionalQuestions = ({ compiled }: PublicForm): string[] =>
  compiled.questions.filter(isConditional).map(({ question }) => question.code)

/** The questions that are asked now although no page has shown them. One with an answer was shown by another page than ours. */
function unseenQuestions(
  form: PublicForm,
  {
    evaluation,
    sections,
    body,
  }: { evaluation: Evaluation; sections: readonly string[]; body: URLSearchParams },
): Unseen[] {
  const answered = new Set([
    ...[...body.keys()].map((name) => name.split('.')[0] ?? ''),
    ...Object.keys(evaluation.answers),
  ])
  return form.compiled.questions
    .filter((one) => isConditional(one) && sections.includes(one.section.id))
    .map(({ question, section }) => ({ question: question.code, section: section.id }))
    .filter(
      ({ question }) =>
        evaluation.visible.includes(question) && !body.has(shownName(question)) && !answered.has(question),
    )
}

/** The answers with the stored details of files instead of their IDs. An ID that isn't of this page stays, and is refused. */
function withStoredFiles(
  answers: Record<string, unknown>,
  { form }: Opened,
  files: PageFiles,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([code, answer]) => {
      if (form.compiled.byCode.get(code)?.question.type !== 'file' || !Array.isArray(answer))
        return [code, answer]
      const ids: readonly unknown[] = answer
      return [code, ids.map((id) => files[code]?.find((file) => file.id === id) ?? id)]
    }),
  )
}

/** Adds the files that weren't stored, if their question is asked. */
function withRefusedFiles(
  problems: readonly AnswerProblem[],
  { form }: Opened,
  {
    refused,
    evaluation,
    language,
  }: { refused: readonly RefusedFile[]; evaluation: Evaluation; language: string },
): AnswerProblem[] {
  const asked = refused.filter(({ question }) => evaluation.visible.includes(question))
  const codes = new Set(asked.map(({ question }) => question))
  return [
    // A required file that was too large was not forgotten.
    ...problems.filter(
      (problem) => !isMissing(problem) || questionsOfProblem(problem).every((code) => !codes.has(code)),
    ),
    ...asked.map(({ question, code, fill }) => ({
      question,
      section: form.compiled.byCode.get(question)?.section.id ?? null,
      code,
      message: problemMessage(code, language, fill),
    })),
  ]
}

/**
 * Without the questions that are required only because another answer is missing or wrong: "email or phone" with a mistyped
 * email address is one mistake. They are checked again once the others are right.
 */
function withoutConsequences({ compiled }: PublicForm, problems: readonly AnswerProblem[]): AnswerProblem[] {
  const others = problems.filter(
    ({ code, question }) =>
      code !== 'required' || compiled.byCode.get(question)?.question.requiredIf === undefined,
  )
  return others.length > 0 ? others : [...problems]
}
