import { answersOf } from '#contract/marketing/forms/form-body.ts'
import { evaluateAnswers, type EvaluateOptions } from '#contract/questions/evaluate.ts'
import { compileSectionRules, type SectionRules } from '#contract/questions/section-rules.ts'

// Shows and hides the questions of a form while it is filled in, by the same rules as the server. Without it, the server shows
// the step again with the questions that the answers led to.

/** The data of the page: what `rulesData` wrote. */
type PageRules = Readonly<{ rules: SectionRules; options: Omit<EvaluateOptions, 'now'> }>

const isPageRules = (data: unknown): data is PageRules =>
  typeof data === 'object' && data !== null && 'rules' in data && 'options' in data

/** Questions that were away when their form was sent, by form and code: a page with what is wrong gets them back. */
const away = new Map<string, HTMLElement>()
const started = new WeakSet<HTMLFormElement>()

document.addEventListener('fc-form', () => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-form]')) {
    const status = form.querySelector<HTMLElement>('[data-rules]')
    const text = form.querySelector('script[type="application/json"]')?.textContent ?? ''
    if (status === null || started.has(form)) continue
    started.add(form)
    const data: unknown = JSON.parse(text)
    if (isPageRules(data)) askWhatApplies(form, status, data)
  }
})

/** A question that comes and goes. `place` stands for it while it is away, and it keeps what was typed. */
type Dependent = { code: string; part: HTMLElement; place: Comment }

function askWhatApplies(form: HTMLFormElement, status: HTMLElement, { rules, options }: PageRules): void {
  const compiled = compileSectionRules(rules)
  const sections = new Set([rules.section])
  const dependents = dependentsOf(form)
  const update = (): void => {
    const changes: string[] = []
    // What comes back brings the answer that was typed into it, and others may depend on that.
    for (let round = 0; round <= dependents.length; round += 1) {
      const entries = [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      )
      const answers = answersOf(entries, compiled, { sections, language: options.language })
      const now = new Date()
      const { visible, required, oneOf } = evaluateAnswers(compiled, answers, {
        ...options,
        now,
        setAside: true,
      })
      for (const { part, code } of dependents) markRequired(part, required.includes(code))
      const groups = new Set(oneOf.map(({ name }) => name))
      for (const fields of form.querySelectorAll<HTMLElement>('[data-one-of]'))
        markGroup(fields, groups.has(fields.dataset['oneOf'] ?? ''))
      const changed = dependents.filter((one) => one.part.isConnected !== visible.includes(one.code))
      if (changed.length === 0) break
      for (const one of changed) {
        const isAsked = visible.includes(one.code)
        if (isAsked) one.place.replaceWith(one.part)
        else one.part.replaceWith(one.place)
        rememberPart(form, one, isAsked)
        const text = status.dataset[isAsked ? 'appeared' : 'disappeared'] ?? ''
        changes.push(text.replace('{n}', () => titleOf(one.part)))
      }
    }
    if (changes.length > 0) status.textContent = changes.join(' ')
  }
  form.addEventListener('input', update)
  form.addEventListener('change', update)
  // A browser may fill in what was typed before, after this script has started.
  addEventListener('pageshow', update)
  update()
}

/** The questions of the page that come and go, out of their templates. */
function dependentsOf(form: HTMLFormElement): Dependent[] {
  const dependents: Dependent[] = []
  for (const part of form.querySelectorAll<HTMLElement>('[data-question]')) {
    const { question: code = '' } = part.dataset
    away.delete(keyOf(form, code))
    dependents.push({ code, part, place: document.createComment(code) })
  }
  for (const template of form.querySelectorAll('template')) {
    const found = template.content.querySelector<HTMLElement>('[data-question]')
    if (found === null) continue
    const { question: code = '' } = found.dataset
    const place = document.createComment(code)
    template.replaceWith(place)
    // In the document of the template, scripts and forms do nothing.
    const part = away.get(keyOf(form, code)) ?? document.importNode(found, true)
    dependents.push({ code, part, place })
  }
  return dependents
}

const keyOf = (form: HTMLFormElement, code: string): string => `${form.action} ${code}`

function rememberPart(form: HTMLFormElement, { code, part }: Dependent, isAsked: boolean): void {
  if (isAsked) away.delete(keyOf(form, code))
  else away.set(keyOf(form, code), part)
}

/** The title of a question, without what says that it is optional. */
function titleOf(part: HTMLElement): string {
  const title = part.querySelector('.label, .choice > span, .note')?.cloneNode(true)
  if (!(title instanceof HTMLElement)) return ''
  title.querySelector('.required')?.remove()
  return title.textContent.trim()
}

/** Other answers can make a question required. */
function markRequired(part: HTMLElement, isRequired: boolean): void {
  const mark = part.querySelector<HTMLElement>('.required')
  if (mark !== null) mark.hidden = isRequired
}

/** The title of questions of which one is enough is shown while two or more of them are asked. */
function markGroup(fields: HTMLElement, isAsked: boolean): void {
  fields.toggleAttribute('data-alone', !isAsked)
  if (!isAsked) return
  for (const input of fields.querySelectorAll<HTMLInputElement>(':is(input, textarea, select):required'))
    input.required = false
}
