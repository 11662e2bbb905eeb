import { randomBytes } from 'node:crypto'
import type { TemplateProblem, TemplateTexts } from '#contract/mail/templates/templates.ts'
import { makeFairQueue, type Owner } from '../outbox/fair-queue.ts'
import type { TemplateVariable } from '../mail-guard.ts'
import { makeRenderThread } from './render-thread.ts'

/** A rendered email. */
export type Composed = { subject: string; html: string; text: string; problems: TemplateProblem[] }
export type Renderer = {
  /**
   * @param secrets replace `link` and `code` unchanged; a template that leaves out a given one is invalid. A string is the
   * link.
   * @param owner whose slot it uses; defaults to the installation.
   * @throws Failure 429 if the user already has too many templates queued.
   */
  render: (
    words: TemplateTexts & { language?: string },
    variables: Readonly<Record<string, string>>,
    secrets: string | MailSecrets,
    owner?: Owner,
  ) => Promise<Composed>
  /** Starts a thread early, so that the first request doesn't wait for its libraries to load. */
  warm: () => void
}

const TIMEOUT_MS = 3_000
/** Shorter, so that a saved template can always be rendered for sending. */
export const DRAFT_MS = 1_000
const INSTALLATION: Owner = { customerId: '', userId: null }
/** Secrets that give access to an account: they must be in the email, and nowhere else. */
export type MailSecrets = { link?: string | undefined; code?: string | undefined }

/** Renders templates in two threads, at most one per customer. A template that takes too long ends with its thread. */
export function makeRenderer(timeoutMs = TIMEOUT_MS): Renderer {
  const threads = [makeRenderThread(timeoutMs), makeRenderThread(timeoutMs)] as const
  const queue = makeFairQueue(threads)
  let number = 0
  return {
    warm: () => threads[0].warm(),
    async render(words, variables, secrets, owner = INSTALLATION) {
      const given = typeof secrets === 'string' ? { link: secrets } : secrets
      const placeholders = placeholdersFor(given)
      const placeholderValues = Object.fromEntries(placeholders.map(({ name, text }) => [name, text]))
      const task = {
        number: (number += 1),
        words,
        language: words.language ?? 'en',
        variables: { ...variables, ...placeholderValues },
        placeholders,
      }
      const rendered = await queue.run(owner, (thread) => thread.run(task))
      if (rendered === null) {
        const unit = timeoutMs === 1_000 ? 'second' : 'seconds'
        const sentence = `The template took longer than ${timeoutMs / 1000} ${unit} or used too much memory. Simplify it.`
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

/** Random, so that a template can't contain one itself. */
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
