import { html, type Html, type Part } from './html.ts'
import { pageTexts } from './page-texts.ts'

/** What was sent and isn't stored. Null: nothing was sent. */
export type NotSent = Readonly<{
  /** Where it was sent to. */
  path: string
  fields: Iterable<readonly [name: string, value: string]>
  /** The values that the visitor typed, without those that the page added. */
  typed: readonly string[]
  hasFiles: boolean
}>

/** Sends what was sent before once more. It needs no script and nothing from the database. */
export function sendAgainForm({ path, fields, typed, hasFiles }: NotSent, language: string): Html {
  const page = pageTexts(language)
  return html`${hasFiles && html`<p>${page('filesAgain')}</p>`}
    <form method="post" action="${path}" accept-charset="utf-8">
      ${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <p><button class="button">${page('sendAgain')}</button></p>
    </form>
    ${
      typed.length > 0 &&
      html`<h2>${page('typed')}</h2>
        <pre class="long">${typed.join('\n')}</pre>`
    }`
}

/** A document for a host that isn't known at this moment: it shows nothing of any site, and nothing of the back office. */
export function awayDocument({ language, notSent }: { language: string; notSent: NotSent | null }): string {
  const page = pageTexts(language)
  const title = page(notSent === null ? 'away' : 'notSent')
  const text = page(notSent === null ? 'awayText' : 'notSentText')
  return plainDocument({ language, title, text, more: notSent && sendAgainForm(notSent, language) })
}

/** A document for the public host of a customer that is suspended. */
export function closedDocument(language: string): string {
  const page = pageTexts(language)
  return plainDocument({ language, title: page('siteClosed'), text: page('siteClosedText'), more: null })
}

type Plain = { language: string; title: string; text: string; more: Part }

function plainDocument({ language, title, text, more }: Plain): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
          ${more}
        </main>
      </body>
    </html> `.text
}
