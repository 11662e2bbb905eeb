import { createElement, type ReactNode } from 'react'
import { FOOTER_TAGS } from '#contract/identity/branding/white-labels.ts'

/**
 * Preview of a footer from HTML that isn't sanitized yet. It is parsed and rebuilt, never inserted into the
 * page.
 */
export function FooterSketch({ html }: { html: string }) {
  if (html.trim() === '') return null
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <div className="fc-foot-html">{draw(body)}</div>
}

function draw(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, index) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent
    if (!(node instanceof Element)) return null
    const tag = node.localName
    if (tag === 'script' || tag === 'style') return null
    if (tag === 'br') return <br key={index} />
    if (tag === 'img') return <Picture key={index} of={node} />
    // A link without href: links in the preview go nowhere.
    const known = FOOTER_TAGS.find((one) => one === tag) ?? 'span'
    return createElement(known, { key: index }, draw(node))
  })
}

function Picture({ of: node }: { of: Element }) {
  const source = node.getAttribute('src') ?? ''
  return source.startsWith('https://') ? <img src={source} alt={node.getAttribute('alt') ?? ''} /> : null
}
