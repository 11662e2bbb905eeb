import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue, createElement, type ReactNode } from 'react'
import { schemeVariables } from '#contract/appearance/brand.ts'
import { type Scheme, SCHEMES } from '#contract/appearance/tokens.ts'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { knownColor } from './known-color.ts'
import type { WhiteLabelValues } from './white-label-form.ts'
import { FOOTER_TAGS } from '#contract/identity/branding/white-labels.ts'

const SCHEME_NAMES = { light: 'Light', dark: 'Dark' }

/** Preview of the sign-in page and the top bar with unsaved branding, in both color schemes. */
export function BrandPreview({ values }: { values: WhiteLabelValues }) {
  const look = useDeferredValue(values)
  return (
    <section className="fc-brand-preview" aria-label="Preview">
      {SCHEMES.map((scheme) => (
        <Sketch key={scheme} scheme={scheme} look={look} />
      ))}
    </section>
  )
}

function Sketch({ scheme, look }: { scheme: Scheme; look: WhiteLabelValues }) {
  const title = look.title.trim() === '' ? 'Your title' : look.title
  const variables = schemeVariables(scheme, knownColor(look.brand))
  return (
    <figure aria-label={`${SCHEME_NAMES[scheme]}: ${title}`}>
      <figcaption className="fc-small fc-soft">{SCHEME_NAMES[scheme]}</figcaption>
      {/* The colors of the unsaved branding, calculated in the browser. */}
      <div className="fc-sketch" aria-hidden="true" style={variables}>
        <div className="fc-sketch-tab">
          {look.favicon !== '' && <img src={look.favicon} alt="" />}
          <bdi className="fc-cut">Sign in | {title}</bdi>
        </div>
        <div className="fc-sketch-sign-in">
          <div className="fc-sketch-panel">
            <Mark logo={look.logo === '' ? null : look.logo} name={title} size={20} />
            <bdi className="fc-cut">{title}</bdi>
          </div>
          <div className="fc-sketch-form">
            <b>Sign in</b>
            <span className="fc-soft">
              <bdi>{title} back office</bdi>
            </span>
            <i />
            <i />
            <span className="fc-sketch-button">Sign in</span>
            <span className="fc-sketch-link">Forgot password?</span>
            <FooterSketch html={look.footer} />
          </div>
        </div>
        <div className="fc-sketch-top">
          <Mark logo={null} name="Your organization" size={16} />
          <b>Your organization</b>
          <span className="fc-grow" />
          <IconSearch size={12} aria-hidden="true" />
          <span className="fc-sketch-chosen">Dashboard</span>
          <span className="fc-sketch-button">Add lot</span>
        </div>
      </div>
    </figure>
  )
}

/**
 * Preview of a footer from HTML that isn't sanitized yet. It is parsed and rebuilt, never inserted into the
 * page.
 */
function FooterSketch({ html }: { html: string }) {
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
