import { campaignOf, FIELD_NAMES, lineOf } from '#contract/marketing/forms/form-body.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import type { AnswerProblem, Evaluation } from '#contract/questions/evaluate.ts'
import { writeFormEntries } from '#contract/questions/reading/form-entries.ts'
import { readPrefill } from '#contract/questions/prefill.ts'
import type { Secrets } from '#server/secrets.ts'
import { formElement, type FormView, languageLinks as languageLinksOf } from '#public/form-page.ts'
import { html, type Html } from '#public/html.ts'
import { pageTexts } from '#public/page-texts.ts'
import type { SiteRequest } from '../site/site-app.ts'
import type { PageFiles } from './form-files.ts'
import { newFormToken, writeFormToken } from './form-token.ts'
import {
  evaluateForm,
  evaluateOptions,
  type FormVisitor,
  languageLinks,
  nameOf,
  type Opened,
  sellerOf,
  shownLanguage,
  stepsOf,
} from './open-form.ts'
import { writeChallenge } from './proof-of-work.ts'
import { readTestMark } from './test-link.ts'
import { knownAddress } from './page-address.ts'

/** Characters of an address that is kept. */
export const MAX_URL = 500

/** What the proof of work of a form needs. */
export type ProofParts = { secrets: Secrets; scriptsOf: FormScripts }

/** The addresses of the scripts of forms; null in an installation without a web build. */
export type FormScripts = (site: Site) => { proofWorker: string | null; formRules: string | null }

/** A form without its proof of work and its scripts; `sentKey`: that of its token. */
export type UnprovenView = Omit<FormView, 'proof' | 'rulesScript'> & { sentKey: string }

/** Adds what the visitor's browser can solve; the key of the page's token is the key of the proof. */
export async function withProof(
  view: UnprovenView,
  { site }: SiteRequest,
  { secrets, scriptsOf }: ProofParts,
): Promise<FormView> {
  const { sentKey, ...rest } = view
  const { proofWorker, formRules } = scriptsOf(site)
  return {
    ...rest,
    rulesScript: formRules,
    proof: { challenge: await writeChallenge(secrets, sentKey), worker: proofWorker },
  }
}

/** The form below a vehicle, ready to be filled in by this visitor. */
export function vehicleForm(opened: Opened, visitor: SiteRequest, parts: ProofParts): Promise<Html> {
  const page = `${visitor.origin}${opened.vehicle?.path ?? '/'}`
  return pageForm(opened, visitor, parts, { page, hasHeading: false })
}

/** The form on a page with more than the form. `page`: its address. `hasHeading`: the page names the form itself. */
export async function pageForm(
  opened: Opened,
  visitor: SiteRequest,
  parts: ProofParts,
  { page, hasHeading }: { page: string; hasHeading: boolean },
): Promise<Html> {
  const view = firstView(opened, visitor, { secrets: parts.secrets, page })
  const form = formElement(await withProof(view, visitor, parts))
  const { language } = view.context
  return html`<div lang="${language}">
    ${languageLinksOf(view.context, languageLinks(opened.form, visitor))}
    ${view.steps.length === 1 && !hasHeading && html`<h2>${view.name}</h2>`} ${form}
  </div>`
}

/** The first step of a form that no one has typed into. `page`: where the form is, for the dealer. */
export function firstView(
  opened: Opened,
  visitor: FormVisitor,
  { secrets, page, isFramed = false }: { secrets: Secrets; page: string; isFramed?: boolean },
): UnprovenView {
  const { form } = opened
  const { query, request } = visitor
  const language = shownLanguage(form, visitor)
  const prefilled = readPrefill(form.compiled, query, evaluateOptions(opened, language))
  const evaluation = evaluateForm(opened, prefilled, language)
  const steps = stepsOf(form, evaluation)
  const token = newFormToken(form)
  const test = readTestMark(secrets, form, query.get('test'), token.openedAt)
  const mark = test === null ? null : query.get('test')
  // In a frame, the page around it is the one that counts.
  const referrer = isFramed ? null : (request.headers.referer ?? null)
  return viewOf(opened, {
    evaluation,
    steps,
    step: steps[0] ?? '',
    language,
    token: writeFormToken(secrets, form, token),
    sentKey: token.sentKey,
    typed: new URLSearchParams(writeFormEntries(form.compiled, prefilled, language)),
    files: {},
    problems: [],
    shown: [],
    added: [],
    hidden: hiddenOf(opened, { query, mark, page, referrer, isFramed }),
    test,
  })
}

/** A step of a form with what was typed into it. */
export function viewOf(
  { form, receiver }: Opened,
  of: {
    evaluation: Evaluation
    steps: readonly string[]
    step: string
    language: string
    token: string
    sentKey: string
    typed: URLSearchParams
    files: PageFiles
    problems: readonly AnswerProblem[]
    /** Codes of conditional questions that were on a page before, and of those that are on this one for the first time. */
    shown: readonly string[]
    added: readonly string[]
    hidden: Record<string, string>
    /** Whether it is a test of the dealer's own people, or one whose time is over. */
    test: ReturnType<typeof readTestMark>
  },
): UnprovenView {
  const { evaluation, language, hidden } = of
  const page = pageTexts(language)
  const isFollowedUp = form.unfinishedMinutes !== null && of.step !== of.steps.at(-1)
  return {
    key: form.key,
    name: nameOf(form, language),
    compiled: form.compiled,
    steps: of.steps,
    step: of.step,
    visible: evaluation.visible,
    answers: evaluation.answers,
    shown: of.shown,
    added: of.added,
    zone: receiver.zone,
    token: of.token,
    sentKey: of.sentKey,
    hidden: {
      ...hidden,
      [FIELD_NAMES.language]: language,
      ...(isFollowedUp && { [FIELD_NAMES.followUp]: '1' }),
    },
    isFollowedUp,
    notice: of.test === null ? null : page(of.test === 'valid' ? 'test' : 'testEnded'),
    context: {
      typed: of.typed,
      language,
      languages: form.compiled.definition.languages,
      required: new Set(evaluation.required),
      problems: of.problems,
      computed: evaluation.computed,
      totals: evaluation.totals,
      files: of.files,
      seller: sellerOf(receiver),
      text: controlTexts(language),
      page,
    },
  }
}

/** The fields that a page sends unseen. */
export function hiddenOf(
  { vehicle }: Opened,
  of: {
    query: URLSearchParams
    mark: string | null
    page: string | null
    referrer: string | null
    isFramed: boolean
  },
): Record<string, string> {
  const fields: readonly (readonly [string, string | null])[] = [
    [FIELD_NAMES.vehicle, vehicle?.id ?? null],
    [FIELD_NAMES.page, knownAddress(of.page, MAX_URL)],
    [FIELD_NAMES.referrer, knownAddress(of.referrer, MAX_URL)],
    [FIELD_NAMES.test, lineOf(of.mark)],
    [FIELD_NAMES.frame, of.isFramed ? '1' : null],
    ...Object.entries(campaignOf(of.query)),
  ]
  return Object.fromEntries(fields.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
