import { Worker } from 'node:worker_threads'
import type { TemplateProblem, TemplateWords } from '#contract/mail/templates.ts'
import type { Rendered, RenderTask } from './template-worker.ts'

/** What a mail is made of once its variables stand in it. */
export type Composed = { subject: string; html: string; text: string; problems: TemplateProblem[] }
export type Renderer = {
  /**
   * @param secrets stand wherever the words name `link` or `code`, and nowhere changed; words that leave out one that
   * is given do not work. A bare text is the link.
   */
  render: (
    words: TemplateWords,
    variables: Readonly<Record<string, string>>,
    secrets: string | MailSecrets,
  ) => Promise<Composed>
  /** Starts its thread before there is anything to do: who asks first must not wait for its libraries. */
  warm: () => void
}

const LONGEST_MS = 3_000
/** The first one waits until the thread has its libraries. */
const START_MS = 20_000
/** What opens an account, so that it must be in the mail and go nowhere else. */
export type MailSecrets = { link?: string | undefined; code?: string | undefined }
/** Stand for the link and the code while a template runs: what it makes of them is neither. */
const STAND_INS = { link: 'https://link.invalid/forecourt-link', code: 'forecourt-code' } as const
type SecretName = keyof typeof STAND_INS
const SECRET_NAMES: readonly SecretName[] = ['link', 'code']

type Waiting = { task: RenderTask; settle: (rendered: Rendered | null) => void }

/** Fills templates in a thread of its own, one after the other; one that takes too long ends with its thread. */
export function makeRenderer(longestMs = LONGEST_MS): Renderer {
  let worker: Worker | null = null
  let settleCurrent: ((rendered: Rendered | null) => void) | null = null
  let last = Promise.resolve<unknown>(null)
  /** It has answered once: its libraries are there. */
  let warmed: Worker | null = null
  let number = 0

  function start(): Worker {
    const started = new Worker(new URL('./template-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const lose = (): void => {
      if (worker !== started) return
      worker = null
      settleCurrent?.(null)
    }
    started.on('message', (rendered: Rendered) => {
      warmed = started
      settleCurrent?.(rendered)
    })
    started.on('error', lose)
    started.on('exit', lose)
    // It must not keep the product from stopping.
    started.unref()
    return started
  }

  function run({ task, settle }: Waiting): void {
    const current = (worker ??= start())
    const timer = setTimeout(
      () => {
        void current.terminate()
        worker = start()
        settleCurrent?.(null)
      },
      longestMs + (warmed === current ? 0 : START_MS),
    )
    settleCurrent = (rendered) => {
      if (rendered !== null && rendered.number !== task.number) return
      clearTimeout(timer)
      settleCurrent = null
      settle(rendered)
    }
    current.postMessage(task, [])
  }

  return {
    warm: () => void (worker ??= start()),
    async render(words, variables, secrets) {
      const given: MailSecrets = typeof secrets === 'string' ? { link: secrets } : secrets
      const names = SECRET_NAMES.filter((name) => given[name] !== undefined)
      const standIns = Object.fromEntries(names.map((name) => [name, STAND_INS[name]]))
      const task: RenderTask = { number: (number += 1), words, variables: { ...variables, ...standIns } }
      const turn = last.then(() => new Promise<Rendered | null>((settle) => run({ task, settle })))
      last = turn
      const rendered = await turn
      if (rendered === null) {
        const sentence = `It took longer than ${longestMs / 1000} seconds, or too much memory, and was ended.`
        return { subject: '', html: '', text: '', problems: [{ part: 'mjml', line: null, sentence }] }
      }
      const { subject, html, text, problems } = rendered
      const put = (part: string): string =>
        names.reduce((all, name) => all.replaceAll(STAND_INS[name], () => given[name] ?? ''), part)
      return {
        subject,
        html: put(html),
        text: put(text),
        problems: [...problems, ...names.flatMap((name) => findSecretProblems(rendered, name))],
      }
    },
  }
}

/** It opens an account: it must be there, and must not travel to whoever a picture is fetched from. */
function findSecretProblems(
  { subject, html, text, problems }: Rendered,
  name: SecretName,
): TemplateProblem[] {
  if (problems.length > 0) return []
  const found: TemplateProblem[] = []
  const complain = (part: TemplateProblem['part'], sentence: string) =>
    found.push({ part, line: null, sentence })
  const standIn = STAND_INS[name]
  const missing = `The ${name} is missing: {{ ${name} }} must stand here.`
  if (subject.includes(standIn)) complain('subject', `The ${name} may not stand in the subject.`)
  if (!text.includes(standIn)) complain('text', missing)
  if (!html.includes(standIn)) complain('mjml', missing)
  const inAttributes = [...html.matchAll(/([\w-]+)\s*=\s*("[^"]*"|'[^']*')/g)].filter(([whole]) =>
    whole.includes(standIn),
  )
  const isAstray = inAttributes.some(
    ([, attribute, value]) => name === 'code' || attribute !== 'href' || value?.slice(1, -1) !== standIn,
  )
  if (isAstray || new RegExp(`url\\([^)]*forecourt-${name}`).test(html)) {
    const allowed = name === 'link' ? 'in words, or alone in an href' : 'in words'
    complain('mjml', `The ${name} may stand ${allowed}: nowhere else.`)
  }
  return found
}
