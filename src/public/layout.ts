import type { Site } from '#contract/marketing/site/site.ts'
import { html, type Html, type Part, trusted } from './html.ts'
import { pageTexts } from './page-texts.ts'

/** A page of a public site. */
export type Page = Readonly<{
  title: string
  /** Of the texts of the page; English if absent. */
  language?: string
  /** For search engines; null: none. */
  description: string | null
  body: Html
  /** More elements for the head. */
  head?: Part
  /** Keeps search engines from listing the page. */
  isUnlisted?: boolean
  /** Shown in a frame of another site, without the site's header and footer. */
  isFramed?: boolean
  /** The path of the page itself, without parameters that change nothing. */
  canonical?: string
}>

/** Where the files of the pages are. `proofWorker`: solves the proof of work of a form. */
export type Assets = Readonly<{ styles: string; script: string | null; proofWorker: string | null }>

/** The document of a page. Everything in it comes from this server, and without the script everything works, too. */
export function documentOf(
  site: Site,
  page: Page,
  { assets, origin }: { assets: Assets; origin: string },
): string {
  const { language = 'en' } = page
  const { text } = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} | ${site.title}</title>
        ${page.description !== null && html`<meta name="description" content="${page.description}" />`}
        ${page.isUnlisted === true && html`<meta name="robots" content="noindex" />`}
        ${page.canonical !== undefined && html`<link rel="canonical" href="${origin}${page.canonical}" />`}
        <link rel="stylesheet" href="${assets.styles}" />
        ${assets.script !== null && html`<script type="module" src="${assets.script}"></script>`}
        ${site.favicon !== null && html`<link rel="icon" href="${site.favicon}" />`} ${page.head}
      </head>
      ${
        page.isFramed === true
          ? html`<body class="framed">
              <main id="content" tabindex="-1">${page.body}</main>
            </body>`
          : bodyOf(site, page)
      }
    </html> `
  return text
}

function bodyOf(site: Site, { body, language = 'en' }: Page): Html {
  return html`<body>
    <a class="skip" href="#content">${pageTexts(language)('skip')}</a>
    <header class="top">
      <a class="brand" href="/">
        ${site.logo === null ? null : html`<img src="${site.logo}" alt="" height="32" />`}<span
          >${site.title}</span
        >
      </a>
    </header>
    <main id="content" tabindex="-1">${body}</main>
    <footer class="bottom">${trusted(site.footer)}</footer>
  </body>`
}

/** A short page that says what happened and where to go on. */
export function messagePage(message: {
  title: string
  text: string
  language?: string
  /** Null: none. */
  link?: { href: string; label: string } | null
  more?: Part
}): Page {
  const { link = { href: '/', label: 'See all vehicles' } } = message
  return {
    title: message.title,
    description: null,
    isUnlisted: true,
    ...(message.language !== undefined && { language: message.language }),
    body: html`<section class="message">
      <h1>${message.title}</h1>
      <p>${message.text}</p>
      ${link !== null && html`<p><a class="button" href="${link.href}">${link.label}</a></p>`} ${message.more}
    </section>`,
  }
}
