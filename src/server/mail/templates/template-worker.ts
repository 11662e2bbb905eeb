// Runs in its own thread, which is terminated if a template never finishes.
import { capitalize } from '#contract/capitalize.ts'
import { parentPort } from 'node:worker_threads'
import { Liquid } from 'liquidjs'
import mjml2html from 'mjml'
import { findUnsafe, findUnsafeText, type TemplateVariable } from '../mail-guard.ts'

export type RenderTask = {
  number: number
  words: { subject: string; mjml: string; text: string }
  /** Of the words, such as "es". */
  language: string
  /** Used as is in the subject and text, and HTML-escaped in the layout. */
  variables: Record<string, string>
  /** Variables that must be in the email, and only where they are safe. */
  placeholders: readonly TemplateVariable[]
}
type Problem = { part: 'subject' | 'mjml' | 'text'; line: number | null; sentence: string }
export type Rendered = { number: number; subject: string; html: string; text: string; problems: Problem[] }

const limits = {
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  // No partials, so nothing is read from files.
  templates: {},
  parseLimit: 200_000,
  renderLimit: 1_000,
  memoryLimit: 5_000_000,
}
const plain = new Liquid(limits)
const escaped = new Liquid({ ...limits, outputEscape: 'escape' })

parentPort?.on('message', (task: RenderTask) => {
  void render(task).then((rendered) => parentPort?.postMessage(rendered, []))
})

async function render({ number, words, language, variables, placeholders }: RenderTask): Promise<Rendered> {
  const problems: Problem[] = []
  const fill = (part: Problem['part'], engine: Liquid): string => {
    try {
      return String(engine.parseAndRenderSync(words[part], variables))
    } catch (error) {
      problems.push({ part, ...placeOf(error) })
      return ''
    }
  }
  const subject = fill('subject', plain).replace(/\s+/g, ' ').trim()
  const text = fill('text', plain)
  const filled = fill('mjml', escaped)
  let html = ''
  if (filled !== '') {
    try {
      const made = await mjml2html(filled, {
        validationLevel: 'soft',
        ignoreIncludes: true,
        // Otherwise MJML loads fonts from Google, whose styles could read the link or code.
        ...(placeholders.length > 0 && { fonts: {} }),
      })
      html = describeDocument(made.html, subject, language)
      for (const { line, message } of made.errors) {
        problems.push({ part: 'mjml', line, sentence: sentenceOf(message) })
      }
    } catch (error) {
      problems.push({
        part: 'mjml',
        line: null,
        sentence: sentenceOf(error instanceof Error ? error.message : ''),
      })
    }
  }
  // Only checked if every part was rendered.
  if (problems.length === 0) problems.push(...checkSafety({ subject, html, text }, placeholders))
  return { number, subject, html, text, problems }
}

/** Adds a title and language for screen readers, unless the template sets its own (`mj-title`, `lang`). */
function describeDocument(html: string, subject: string, language: string): string {
  const title = subject.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return html
    .replace('<title></title>', () => `<title>${title}</title>`)
    .replaceAll('lang="und"', `lang="${language}"`)
}

function checkSafety(
  { subject, html, text }: { subject: string; html: string; text: string },
  placeholders: readonly TemplateVariable[],
): Problem[] {
  const inSubject = placeholders.filter((one) => subject.includes(one.text))
  const problem = (part: Problem['part']) => (sentence: string) => ({ part, line: null, sentence })
  return [
    ...inSubject.map(({ name }) => `The ${name} can't be in the subject.`).map(problem('subject')),
    ...findUnsafeText(text, placeholders).map(problem('text')),
    ...findUnsafe(html, placeholders).map(problem('mjml')),
  ]
}

/** "undefined variable: x, line:3, col:5". */
function placeOf(error: unknown): { line: number | null; sentence: string } {
  const message = error instanceof Error ? error.message : String(error)
  const [, line] = /, line:(\d+)/.exec(message) ?? []
  return {
    line: line === undefined ? null : Number(line),
    sentence: sentenceOf(message.replace(/, line:.*$/s, '')),
  }
}

function sentenceOf(message: string): string {
  const text = message.replace(/\s+/g, ' ').trim().slice(0, 300) || "The template can't be read"
  const sentence = capitalize(text)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
