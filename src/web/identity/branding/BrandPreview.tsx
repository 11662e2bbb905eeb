import { IconSearch } from '@tabler/icons-react'
import { useDeferredValue } from 'react'
import { schemeVariables } from '#contract/appearance/brand.ts'
import { type Scheme, SCHEMES } from '#contract/appearance/tokens.ts'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { FooterSketch } from './FooterSketch.tsx'
import { knownColor } from './known-color.ts'
import type { WhiteLabelValues } from './white-label-form.ts'

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
