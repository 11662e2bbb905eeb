/** HTML that is safe to send. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What a template can contain. Null, undefined and false leave nothing; a list is joined. */
export type Part = Html | string | number | null | undefined | false | readonly Part[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)
}

function textOf(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return part.map(textOf).join('')
}

/**
 * A template for HTML: `` html`<p>${name}</p>` ``. Values are escaped, so attributes need quotes around them. Nested HTML is
 * inserted as it is.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, at) => text + textOf(parts[at - 1]) + string))
}

/** HTML from a place that has made it safe, such as a sanitized footer. */
export function trusted(text: string): Html {
  return new Html(text)
}

/** An attribute without a value, such as `required`, with a space before it; nothing if `isOn` is false. */
export function flag(name: string, isOn: boolean): Html | null {
  return isOn ? new Html(` ${name}`) : null
}

/** A block of data for search engines. */
export const jsonLd = (data: unknown): Html => dataBlock('ld+json', data)

/** A block of data for the script of the page. */
export const jsonData = (data: unknown): Html => dataBlock('json', data)

/** It cannot end the element early. */
function dataBlock(type: string, data: unknown): Html {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c')
  return new Html(`<script type="application/${type}">${text}</script>`)
}

/** Paragraphs are separated by blank lines; lines that start with a hyphen are a list. */
export function prose(text: string): Html[] {
  return text
    .split(/\n\s*\n/)
    .map((part) =>
      part
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      lines.every((line) => line.startsWith('- '))
        ? html`<ul>
            ${lines.map((line) => html`<li>${line.slice(2)}</li>`)}
          </ul>`
        : html`<p>${lines.map((line, at) => html`${at > 0 && html`<br />`}${line}`)}</p>`,
    )
}
