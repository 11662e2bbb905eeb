import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import { textIn } from '#contract/questions/texts.ts'
import { html, type Html } from './html.ts'
import { messagePage, type Page } from './layout.ts'
import { fieldId, questionFields, questionsOf, type FieldContext } from './question-fields.ts'

/** A form as a visitor sees it now: one of its steps, with what was typed and what is wrong. */
export type FormView = Readonly<{
  /** The last part of its address. */
  key: string
  name: string
  compiled: CompiledDefinition
  /** The IDs of the steps that have questions now, and the one that is shown. */
  steps: readonly string[]
  step: string
  visible: readonly string[]
  context: FieldContext
  /** Signed: which version is shown since when. */
  token: string
  /** Fields that go with the form unseen. */
  hidden: Readonly<Record<string, string>>
  /** What the browser can solve to show that it is one, and the script that does. */
  proof: { challenge: string; worker: string | null } | null
  /** Shown above the questions, for example about a session that took too long. */
  notice: string | null
}>

/** The form element. It needs no script: the script only keeps it from losing a bad connection. */
export function formElement(view: FormView): Html {
  const { key, compiled, step, context, steps, proof } = view
  const { language, languages } = context
  const section = compiled.definition.sections.find(({ id }) => id === step)
  const visible = new Set(view.visible)
  const at = steps.indexOf(step)
  const isLast = at === steps.length - 1
  const title = textIn(section?.title, language, languages)
  const about = textIn(section?.description, language, languages)
  return html`<form
    class="form"
    method="post"
    action="/f/${key}#ask"
    accept-charset="utf-8"
    data-form
    novalidate
    ${proof !== null && html` data-proof="${proof.challenge}"`}${proof !== null && proof.worker !== null && html` data-proof-worker="${proof.worker}"`}
  >
    ${steps.length > 1 && html`<p class="steps">Step ${at + 1} of ${steps.length}</p>`}
    ${steps.length > 1 && html`<h2>${title}</h2>`} ${about !== '' && html`<p>${about}</p>`}
    ${view.notice !== null && html`<p class="notice" role="status">${view.notice}</p>`} ${problemList(view)}
    ${questionFields(questionsOf(compiled, step, visible), context)}
    <div class="trap" aria-hidden="true">
      <label
        >Leave this empty <input type="text" name="${FIELD_NAMES.trap}" tabindex="-1" autocomplete="off"
      /></label>
    </div>
    <input type="hidden" name="${FIELD_NAMES.token}" value="${view.token}" />
    <input type="hidden" name="${FIELD_NAMES.step}" value="${step}" />
    ${proof !== null && html`<input type="hidden" name="${FIELD_NAMES.proof}" value="" data-proof />`}
    ${Object.entries(view.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <p class="fine">Nothing is sent before you press the button.</p>
    <p><button class="button">${isLast ? 'Send' : 'Send and continue'}</button></p>
  </form>`
}

/** What is wrong, with a link to each field. */
function problemList({ context, compiled }: FormView): Html | null {
  const { problems, language, languages } = context
  if (problems.length === 0) return null
  const byQuestion = Map.groupBy(problems, ({ question }) => question)
  return html`<div class="problems" role="alert" id="problems" tabindex="-1">
    <h2>Please check ${byQuestion.size === 1 ? 'one answer' : `${byQuestion.size} answers`}</h2>
    <ul>
      ${[...byQuestion].map(([code, [first]]) => {
        const question = compiled.byCode.get(code)?.question
        const title = question === undefined ? code : textIn(question.title, language, languages) || code
        return html`<li><a href="#${fieldId(code)}">${title}: ${first?.message}</a></li>`
      })}
    </ul>
  </div>`
}

/** A page with only a form. */
export function formPage(view: FormView, about: Html | null): Page {
  return {
    title: view.context.problems.length > 0 ? `Please check: ${view.name}` : view.name,
    description: null,
    isUnlisted: true,
    body: html`<section class="ask" id="ask">
      <h1>${view.name}</h1>
      ${about} ${formElement(view)}
    </section>`,
  }
}

/** Shown after a form was sent. The same for everyone, so that it contains nothing of what was sent. */
export function thankYouPage({
  title,
  text,
  back,
  isFramed,
}: {
  title: string
  text: string
  back: string | null
  /** In a frame of another site, which the visitor doesn't leave. */
  isFramed: boolean
}): Page {
  const link =
    back === null ? { href: '/', label: 'See all vehicles' } : { href: back, label: 'Back to the vehicle' }
  return messagePage({ title, text, link: isFramed ? null : link })
}

/** The form was closed while the page was open. What was typed is shown, to copy. */
export function closedPage(form: { name: string; phone: string | null; typed: readonly string[] }): Page {
  const call = form.phone === null ? '' : ` Please call ${form.phone} instead.`
  return messagePage({
    title: `"${form.name}" is closed`,
    text: `This form is closed.${call}`,
    more:
      form.typed.length > 0 &&
      html`<h2>What you typed</h2>
        <pre class="long">${form.typed.join('\n')}</pre>`,
  })
}
