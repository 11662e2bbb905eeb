import { Worker } from 'node:worker_threads'
import type { TemplateProblem, TemplateWords } from '#contract/mail/templates.ts'
import type { Rendered, RenderTask } from './template-worker.ts'

/** What a mail is made of once its variables stand in it. */
export type Composed = { subject: string; html: string; text: string; problems: TemplateProblem[] }
export type Renderer = {
  /** @param link stands wherever the words name `link`, and nowhere changed. */
  render: (
    words: TemplateWords,
    variables: Readonly<Record<string, string>>,
    link: string,
  ) => Promise<Composed>
  /** Starts its thread before there is anything to do: who asks first must not wait for its libraries. */
  warm: () => void
}

const LONGEST_MS = 3_000
/** The first one waits until the thread has its libraries. */
const START_MS = 20_000
/** Stands for the link while a template runs: what it makes of it is not the link. */
const STAND_IN = 'https://link.invalid/forecourt-link'

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
    async render(words, variables, link) {
      const task: RenderTask = { number: (number += 1), words, variables: { ...variables, link: STAND_IN } }
      const turn = last.then(() => new Promise<Rendered | null>((settle) => run({ task, settle })))
      last = turn
      const rendered = await turn
      if (rendered === null) {
        const sentence = `It took longer than ${longestMs / 1000} seconds, or too much memory, and was ended.`
        return { subject: '', html: '', text: '', problems: [{ part: 'mjml', line: null, sentence }] }
      }
      const { subject, html, text, problems } = rendered
      const put = (part: string): string => part.replaceAll(STAND_IN, () => link)
      return {
        subject,
        html: put(html),
        text: put(text),
        problems: [...problems, ...findLinkProblems(rendered)],
      }
    },
  }
}

/** The link opens an account: it must be there, and must not travel to whoever a picture is fetched from. */
function findLinkProblems({ subject, html, text, problems }: Rendered): TemplateProblem[] {
  if (problems.length > 0) return []
  const found: TemplateProblem[] = []
  const complain = (part: TemplateProblem['part'], sentence: string) =>
    found.push({ part, line: null, sentence })
  if (subject.includes(STAND_IN)) complain('subject', 'The link may not stand in the subject.')
  if (!text.includes(STAND_IN)) complain('text', 'The link is missing: {{ link }} must stand here.')
  if (!html.includes(STAND_IN)) complain('mjml', 'The link is missing: {{ link }} must stand here.')
  const inAttributes = [...html.matchAll(/([\w-]+)\s*=\s*("[^"]*"|'[^']*')/g)].filter(([whole]) =>
    whole.includes(STAND_IN),
  )
  const isAstray = inAttributes.some(([, name, value]) => name !== 'href' || value?.slice(1, -1) !== STAND_IN)
  if (isAstray || /url\([^)]*forecourt-link/.test(html)) {
    complain('mjml', 'The link may stand in words, or alone in an href: nowhere else.')
  }
  return found
}
