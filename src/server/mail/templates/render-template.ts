import { randomBytes } from 'node:crypto'
import type { TemplateProblem, TemplateWords } from '#contract/mail/templates/templates.ts'
import { makeFairQueue, type Owner } from '../outbox/fair-queue.ts'
import type { TemplateVariable } from '../mail-guard.ts'
import { makeRenderThread } from './render-thread.ts'

/** What a mail is made of once its variables stand in it. */
export type Composed = { subject: string; html: string; text: string; problems: TemplateProblem[] }
export type Renderer = {
  /**
   * @param secrets stand wherever the words name `link` or `code`, and nowhere changed; words that leave out one that
   * is given do not work. A bare text is the link.
   * @param owner whose turn it takes; without one, the installation's.
   * @throws Failure 429 when two templates of the same user wait already.
   */
  render: (
    words: TemplateWords,
    variables: Readonly<Record<string, string>>,
    secrets: string | MailSecrets,
    owner?: Owner,
  ) => Promise<Composed>
  /** Starts its thread before there is anything to do: who asks first must not wait for its libraries. */
  warm: () => void
}

const LONGEST_MS = 3_000
/** Shorter, so that a template that was saved can always be rendered when its email is sent. */
export const DRAFT_MS = 1_000
const INSTALLATION: Owner = { customerId: '', userId: null }
/** What opens an account, so that it must be in the mail and go nowhere else. */
export type MailSecrets = { link?: string | undefined; code?: string | undefined }

/** Fills templates in two threads, never both for one customer; one that takes too long ends with its thread. */
export function makeRenderer(longestMs = LONGEST_MS): Renderer {
  const threads = [makeRenderThread(longestMs), makeRenderThread(longestMs)] as const
  const queue = makeFairQueue(threads)
  let number = 0
  return {
    warm: () => threads[0].warm(),
    async render(words, variables, secrets, owner = INSTALLATION) {
      const given = typeof secrets === 'string' ? { link: secrets } : secrets
      const placeholders = placeholdersFor(given)
      const stood = Object.fromEntries(placeholders.map(({ name, text }) => [name, text]))
      const task = { number: (number += 1), words, variables: { ...variables, ...stood }, placeholders }
      const rendered = await queue.run(owner, (thread) => thread.run(task))
      if (rendered === null) {
        const unit = longestMs === 1_000 ? 'second' : 'seconds'
        const sentence = `It took longer than ${longestMs / 1000} ${unit}, or too much memory, and was ended.`
        return { subject: '', html: '', text: '', problems: [{ part: 'mjml', line: null, sentence }] }
      }
      const put = (part: string, written: (secret: string) => string): string =>
        placeholders.reduce(
          (all, { name, text }) => all.replaceAll(text, () => written(given[name] ?? '')),
          part,
        )
      return {
        subject: rendered.subject,
        html: put(rendered.html, escapeHtml),
        text: put(rendered.text, (secret) => secret),
        problems: rendered.problems,
      }
    },
  }
}

/** Random, so that a template cannot contain one by itself: what it makes of them is neither link nor code. */
function placeholdersFor({ link, code }: MailSecrets): TemplateVariable[] {
  const word = randomBytes(12).toString('hex')
  return [
    ...(link === undefined ? [] : [{ name: 'link' as const, text: `https://link.invalid/${word}` }]),
    ...(code === undefined ? [] : [{ name: 'code' as const, text: `code-${word}` }]),
  ]
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
