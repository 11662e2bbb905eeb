import type { PrintedDocument } from './printed-document.ts'

/**
 * Documents as one page of HTML with the content of their PDF, in its order. It needs no script and nothing from elsewhere, so it
 * can be kept, printed and read aloud without the product.
 */
export function htmlOf(documents: readonly PrintedDocument[]): string {
  const [first] = documents
  const title = escape(first?.title ?? '')
  return `<!doctype html>
<html lang="${escape(first?.language ?? 'en')}" dir="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}${documents.length > 1 ? ` (1 of ${documents.length})` : ''}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${documents.map(articleOf).join('\n')}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.45 system-ui, sans-serif; }
body { margin: 0; }
main { max-inline-size: 52rem; margin-inline: auto; padding: 1rem; }
article { padding-block: 1rem 2rem; break-after: page; overflow-wrap: anywhere; }
article + article { border-block-start: 1px solid #8886; }
h1 { line-height: 1.2; }
dl.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
dl.facts div { display: flex; gap: 0.4rem; }
dd { margin: 0; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 3rem; }
.figures strong { display: block; font-size: 1.6rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; inline-size: 100%; margin-block: 1rem; }
th, td { padding: 0.3rem 0.5rem; text-align: start; vertical-align: top; border-block-end: 1px solid #8886; white-space: pre-line; }
th.amount, td.amount { text-align: end; white-space: nowrap; }
th[colspan] { background: #8882; }
pre { white-space: pre-wrap; }
ul.list { columns: 16rem; }
.signatures { display: grid; grid-template-columns: 2fr 1fr; gap: 3rem 1.5rem; margin-block-start: 4rem; }
.signatures p { margin: 0; border-block-start: 1px solid; padding-block-start: 0.25rem; }
`

function articleOf(document: PrintedDocument): string {
  const {
    title,
    letterhead,
    facts,
    figures,
    list,
    notes = [],
    codes = [],
    attachments = [],
    signature,
    signatures = [],
  } = document
  return `<article>
${letterhead ? `<p><strong>${escape(letterhead.name)}</strong>${letterhead.lines.map((line) => `<br>${escape(line)}`).join('')}</p>` : ''}
<h1 dir="auto">${escape(title)}</h1>
${facts.length === 0 ? '' : `<dl class="facts">${facts.map((one) => `<div><dt>${escape(one.title)}:</dt><dd dir="auto">${escape(one.value)}</dd></div>`).join('')}</dl>`}
${figures.length === 0 ? '' : `<div class="figures">${figures.map((one) => `<p><strong>${escape(one.value)}</strong>${escape(one.title)}</p>`).join('')}</div>`}
${tableOf(document)}
${list ? `<h2>${escape(list.title)}</h2><ul class="list">${list.items.map((item) => `<li dir="auto">${escape(item)}</li>`).join('')}</ul>` : ''}
${codes.map(({ title: about, text, link }) => `<p><a href="${escape(link)}">${escape(text)}</a><br>${escape(about)}</p>`).join('\n')}
${notes.map((note) => `<p dir="auto"><small>${escape(note)}</small></p>`).join('\n')}
${attachments.map(({ name, text }) => `<details><summary>${escape(name)}</summary><pre>${escape(text)}</pre></details>`).join('\n')}
${signaturesOf(signature === null ? signatures : [signature, ...signatures])}
</article>`
}

function tableOf({ columns, groups }: PrintedDocument): string {
  if (columns.length === 0 || groups.length === 0) return ''
  const mark = (at: number): string => (columns[at]?.kind === 'money' ? ' class="amount"' : '')
  const head = columns.map(({ title }, at) => `<th scope="col"${mark(at)}>${escape(title)}</th>`).join('')
  const bodies = groups.map(({ title, rows }) => {
    const lines = rows.map(
      (row) => `<tr>${row.map((text, at) => `<td dir="auto"${mark(at)}>${escape(text)}</td>`).join('')}</tr>`,
    )
    return `<tbody><tr><th scope="rowgroup" colspan="${columns.length}" dir="auto">${escape(title)}</th></tr>${lines.join('\n')}</tbody>`
  })
  return `<div class="scroll" role="region" tabindex="0" aria-label="Table"><table><thead><tr>${head}</tr></thead>${bodies.join('\n')}</table></div>`
}

const signaturesOf = (labels: readonly string[]): string =>
  labels.length === 0
    ? ''
    : `<div class="signatures">${labels.map((label) => `<p>${escape(label)}</p>`).join('')}</div>`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter)
