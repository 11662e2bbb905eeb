import { ALL_VEHICLES } from '#contract/marketing/site/vehicle-search.ts'
import { formName } from '#contract/marketing/forms/form-texts.ts'
import type { MenuForm, PageLink, Site } from '#contract/marketing/site/site.ts'
import { pickLanguage } from '#contract/questions/texts.ts'
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

/** Where the files of the pages are. `styles`: their address, or the rules themselves. `proofWorker`: solves the proof of work of a form. `formRules`: shows and hides its questions. */
export type Assets = Readonly<{
  styles: string | Readonly<{ rules: string }>
  script: string | null
  proofWorker: string | null
  formRules: string | null
}>

/** The document of a page. Everything in it comes from this server, and without the script everything works, too. */
export function documentOf(
  site: Site,
  page: Page,
  {
    assets,
    origin,
    menu,
    pages,
  }: { assets: Assets; origin: string; menu: readonly MenuForm[]; pages: readonly PageLink[] },
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
        ${
          typeof assets.styles === 'string'
            ? html`<link rel="stylesheet" href="${assets.styles}" />`
            : html`<style>
                ${trusted(assets.styles.rules)}
              </style>`
        }
        ${assets.script !== null && html`<script type="module" src="${assets.script}"></script>`}
        ${site.favicon !== null && html`<link rel="icon" href="${site.favicon}" />`} ${page.head}
      </head>
      ${
        page.isFramed === true
          ? html`<body class="framed">
              <main id="content" tabindex="-1">${page.body}</main>
            </body>`
          : bodyOf(site, page, { menu, pages })
      }
    </html> `
  return text
}

type Links = { menu: readonly MenuForm[]; pages: readonly PageLink[] }

function bodyOf(site: Site, { body, language = 'en' }: Page, { menu, pages }: Links): Html {
  const footer = pages.filter(({ isInFooter }) => isInFooter)
  return html`<body>
    <a class="skip" href="#content">${pageTexts(language)('skip')}</a>
    <header class="top">
      <div class="bar">
        <a class="brand" href="/">
          ${site.logo === null ? null : html`<img src="${site.logo}" alt="" height="36" />`}<span
            >${site.title}</span
          >
        </a>
        <nav aria-label="${site.title}">
          <a href="${ALL_VEHICLES}">${pageTexts(language)('vehicles')}</a>
          ${pages.filter(({ isInMenu }) => isInMenu).map(pageLink)}
          ${menu.map((form) => formLink(form, { language }))}
        </nav>
      </div>
    </header>
    <main id="content" tabindex="-1">${body}</main>
    <footer class="bottom">
      <div class="bar">
        ${footer.length > 0 && html`<nav aria-label="More pages">${footer.map(pageLink)}</nav>`}
        ${trusted(site.footer)}
      </div>
    </footer>
  </body>`
}

const pageLink = ({ slug, title }: PageLink): Html => html`<a href="/p/${slug}">${title}</a> `

/** A link to a form, by its name in the language of the page if it has one. */
export function formLink(
  form: MenuForm,
  { language = 'en', query = '', style = '' }: { language?: string; query?: string; style?: string },
): Html {
  const shown = pickLanguage(form.languages, language)
  return html`<a
    href="/f/${form.key}${query}"
    ${style !== '' && html` class="${style}"`}
    ${shown !== language && html` lang="${shown}"`}
    >${formName(form, shown)}</a
  >`
}

/** A short page that says what happened and where to go on. */
export function messagePage(message: {
  title: string
  text: string
  language?: string
  /** Null: none. */
  link?: { href: string; label: string } | null
  /** Before the link. */
  more?: Part
  /** Below the message. */
  below?: Part
}): Page {
  const { link = { href: ALL_VEHICLES, label: 'See all vehicles' } } = message
  return {
    title: message.title,
    description: null,
    isUnlisted: true,
    ...(message.language !== undefined && { language: message.language }),
    body: html`<section class="message">
        <h1>${message.title}</h1>
        <p>${message.text}</p>
        ${message.more}
        ${link !== null && html`<p><a class="button" href="${link.href}">${link.label}</a></p>`}
      </section>
      ${message.below}`,
  }
}

/** What chats show of a link, for the programs that fetch such previews. */
export function previewPage({ title, picture }: { title: string; picture: string | null }): Page {
  return {
    ...messagePage({ title, text: '' }),
    head: html`<meta property="og:type" content="website" /><meta property="og:title" content="${title}" />
      ${picture !== null && html`<meta property="og:image" content="${picture}" />`}`,
  }
}
