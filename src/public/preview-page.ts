import { html } from './html.ts'
import { messagePage, type Page } from './layout.ts'

/** What chats show of a link, for the programs that fetch such previews. */
export function previewPage({ title, picture }: { title: string; picture: string | null }): Page {
  return {
    ...messagePage({ title, text: '' }),
    head: html`<meta property="og:type" content="website" /><meta property="og:title" content="${title}" />
      ${picture !== null && html`<meta property="og:image" content="${picture}" />`}`,
  }
}
