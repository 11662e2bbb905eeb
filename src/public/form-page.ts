import { ALL_VEHICLES } from '#contract/marketing/site/vehicle-search.ts'
import { FIELD_NAMES, shownName } from '#contract/marketing/forms/form-body.ts'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Answers } from '#contract/questions/answers.ts'
import { sectionRules } from '#contract/questions/section-rules.ts'
import { textIn } from '#contract/questions/texts.ts'
import { html, type Html } from './html.ts'
import { messagePage, type Page } from './layout.ts'
import { rulesData, stepFields } from './conditional-fields.ts'
import { type FieldContext, fieldId } from './field-parts.ts'
import { pageTexts } from './page-texts.ts'

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
  answers: Answers
  /** Codes of conditional questions that were on a page before, and of those that are on this one for the first time. */
  shown: readonly string[]
  added: readonly string[]
  /** The time zone of dates in rules. */
  zone: string
  context: FieldContext
  /** Signed: which version is shown since when. */
  token: string
  /** Fields that go with the form unseen. */
  hidden: Readonly<Record<string, string>>
  /** What the browser can solve to show that it is one, and the script that does. */
  proof: { challenge: string; worker: string | null } | null
  /** The script that shows and hides questions while the form is filled in. */
  rulesScript: string | null
  /** Whether the dealer may contact someone who leaves after this step. */
  isFollowedUp: boolean
  /** Shown above the questions, for example about a session that took too long. */
  notice: string | null
}>

/** The form element. It needs no script: the script only keeps it from losing a bad connection. */
export function formElement(view: FormView): Html {
  const { key, compiled, step, context, steps, proof } = view
  const { language, languages } = context
  const section = compiled.definition.sections.find(({ id }) => id === step)
  const at = steps.indexOf(step)
  const isLast = at === steps.length - 1
  const title = textIn(section?.title, language, languages)
  const about = textIn(section?.description, language, languages)
  const { page } = context
  const rules = sectionRules(compiled, step, { answers: view.answers, ...context })
  const lastText = steps.length === 1 ? 'private' : 'lastStep'
  const asks = section?.questions.some((one) => one.type === 'consent' && one.purpose === 'inquiry') ?? false
  const followedUp = asks ? 'followedUpIfAgreed' : 'followedUpStep'
  const stepText = view.isFollowedUp ? followedUp : 'savedStep'
  const fields = stepFields(view, new Set(rules?.dependent))
  return html`<form
    class="form"
    method="post"
    action="/f/${key}#ask"
    accept-charset="utf-8"
    lang="${language}"
    data-form
    data-sending="${page('sending')}"
    data-offline="${page('offline')}"
    data-waiting="${page('waiting')}"
    data-failed="${page('failed')}"
    novalidate
    ${fields.hasFiles && html` enctype="multipart/form-data"`}
    ${proof !== null && html` data-proof="${proof.challenge}"`}${proof !== null && proof.worker !== null && html` data-proof-worker="${proof.worker}"`}
  >
    <input type="hidden" name="${FIELD_NAMES.token}" value="${view.token}" autocomplete="off" data-token />
    <input type="hidden" name="${FIELD_NAMES.step}" value="${step}" />
    ${proof !== null && proofFields(proof.worker)}
    ${Object.entries(view.hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${view.shown
      .filter((code) => compiled.byCode.get(code)?.section.id !== step)
      .map((code) => html`<input type="hidden" name="${shownName(code)}" value="1" />`)}
    ${rules !== null && rulesData(rules, view)}
    ${
      steps.length > 1 &&
      html`<p class="steps">
        ${page('step', at + 1, steps.length)}
        <progress max="${steps.length}" value="${at + 1}" aria-hidden="true"></progress>
      </p>`
    }
    ${steps.length > 1 && html`<h2>${title}</h2>`} ${about !== '' && html`<p>${about}</p>`}
    ${view.notice !== null && html`<p class="notice" role="status">${view.notice}</p>`} ${problemList(view)}
    ${addedList(view)}
    ${
      // Pressing Enter in a field sends the form, not the first button that adds rows.
      fields.hasRows && html`<button class="hidden" tabindex="-1" aria-hidden="true">${page('send')}</button>`
    }
    ${fields.parts}
    <div class="trap" aria-hidden="true">
      <label
        >${page('trap')} <input type="text" name="${FIELD_NAMES.trap}" tabindex="-1" autocomplete="off"
      /></label>
    </div>
    <p class="fine">${page(isLast ? lastText : stepText)}</p>
    <p><button class="button">${page(isLast ? 'send' : 'next')}</button></p>
  </form>`
}

/** Where the script puts the proof, and what a browser without scripts sends instead. Files come after it. */
function proofFields(worker: string | null): Html {
  const without = html`<input type="hidden" name="${FIELD_NAMES.noScript}" value="1" />`
  return html`<input
      type="hidden"
      name="${FIELD_NAMES.proof}"
      value=""
      autocomplete="off"
      data-proof
      data-unproven="${FIELD_NAMES.noScript}"
    />
    ${worker === null ? without : html`<noscript>${without}</noscript>`}`
}

/** What is wrong, with a link to each field. */
function problemList({ context, compiled }: FormView): Html | null {
  const { problems, language, languages, page } = context
  if (problems.length === 0) return null
  const byQuestion = Map.groupBy(problems, ({ question }) => question)
  return html`<div class="problems" role="alert" id="problems" tabindex="-1">
    <h2>${byQuestion.size === 1 ? page('checkOne') : page('checkMany', byQuestion.size)}</h2>
    <ul>
      ${[...byQuestion].map(([code, [first]]) => {
        const question = compiled.byCode.get(code)?.question
        const title = question === undefined ? code : textIn(question.title, language, languages) || code
        // Where one of several questions is enough, the message names them.
        if (first?.oneOf !== undefined) return html`<li><a href="#${fieldId(code)}">${first.message}</a></li>`
        const row = first?.row === undefined ? '' : `, ${page('row', first.row + 1)}`
        return html`<li><a href="#${fieldId(code)}">${title}${row}: ${first?.message}</a></li>`
      })}
    </ul>
  </div>`
}

/** What the answers led to, with a link to each question. */
function addedList({ added, context, compiled }: FormView): Html | null {
  if (added.length === 0) return null
  const { language, languages, page } = context
  return html`<div class="notice" role="status" id="added" tabindex="-1">
    <strong>${added.length === 1 ? page('addedOne') : page('addedMany', added.length)}</strong>
    <ul>
      ${added.map((code) => {
        const title = textIn(compiled.byCode.get(code)?.question.title, language, languages) || code
        return html`<li><a href="#${fieldId(code)}">${title}</a></li>`
      })}
    </ul>
  </div>`
}

/** A page with only a form. `about`: the vehicle that it is about. `languages`: the addresses of the form in each of its languages. */
export function formPage(
  view: FormView,
  {
    vehicle,
    languages,
  }: { vehicle: { path: string; title: string } | null; languages: readonly LanguageLink[] },
): Page {
  const { page, language, problems } = view.context
  return {
    title: problems.length > 0 ? page('check', view.name) : view.name,
    description: null,
    language,
    isUnlisted: true,
    body: html`<section class="ask" id="ask">
      ${languageLinks(view.context, languages)}
      <h1>${view.name}</h1>
      ${vehicle !== null && html`<p>${page('about')} <a href="${vehicle.path}" lang="en">${vehicle.title}</a></p>`}
      ${formElement(view)}
    </section>`,
  }
}

/** A form in one of its languages. */
export type LanguageLink = Readonly<{ language: string; href: string }>

/** The languages of a form, each by its own name. Nothing if there is only one. */
export function languageLinks({ page, language }: FieldContext, links: readonly LanguageLink[]): Html | null {
  if (links.length < 2) return null
  return html`<nav class="languages" aria-label="${page('languages')}">
    ${links.map((link) => {
      const name = new Intl.DisplayNames([link.language], { type: 'language' }).of(link.language)
      const label =
        name === undefined ? link.language : name.charAt(0).toLocaleUpperCase(link.language) + name.slice(1)
      return link.language === language
        ? html`<strong lang="${link.language}" aria-current="true">${label}</strong>`
        : html`<a href="${link.href}" lang="${link.language}" hreflang="${link.language}">${label}</a>`
    })}
  </nav>`
}

/** Shown after a form was sent. The same for everyone, so that it contains nothing of what was sent. */
export function thankYouPage({
  title,
  text,
  language,
  back,
  isFramed,
}: {
  title: string
  text: string
  language: string
  back: string | null
  /** In a frame of another site, which the visitor doesn't leave. */
  isFramed: boolean
}): Page {
  const page = pageTexts(language)
  const label = page(back?.startsWith('/p/') === true ? 'backToPage' : 'back')
  const link = back === null ? { href: ALL_VEHICLES, label: page('allVehicles') } : { href: back, label }
  return messagePage({ title, text, language, link: isFramed ? null : link })
}

/** The form was closed while the page was open. What was typed is shown, to copy. */
export function closedPage(form: {
  name: string
  language: string
  phone: string | null
  typed: readonly string[]
}): Page {
  const page = pageTexts(form.language)
  const call = form.phone === null ? '' : ` ${page('call', form.phone)}`
  return messagePage({
    title: page('closed', form.name),
    text: `${page('closedText')}${call}`,
    language: form.language,
    link: { href: ALL_VEHICLES, label: page('allVehicles') },
    more:
      form.typed.length > 0 &&
      html`<h2>${page('typed')}</h2>
        <pre class="long">${form.typed.join('\n')}</pre>`,
  })
}
