import type { ReactNode } from 'react'
import { useBoot } from '#web/use-boot.ts'
import { FooterHtml } from '#web/ui/layout/FooterHtml.tsx'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { BaysDrawing } from './BaysDrawing.tsx'
import './sign-in.css'

type Props = {
  title: string
  /** Purpose of the page, in one sentence. */
  about: ReactNode
  /** For a list of choices instead of a few fields. */
  isWide?: boolean
  children: ReactNode
}

/** The bare layout of specification section 2, without navigation, for all pages under /auth. */
export function AuthLayout({ title, about, isWide = false, children }: Props) {
  const { whiteLabel } = useBoot()
  const brand = (
    <>
      <Mark logo={whiteLabel.logo} name={whiteLabel.title} size={32} />
      {whiteLabel.title}
    </>
  )
  return (
    <div className="fc-sign-in">
      <div className="fc-sign-in-panel" aria-hidden="true">
        <BaysDrawing />
        <div className="fc-sign-in-brand">{brand}</div>
      </div>
      <main>
        <div className="fc-sign-in-form" data-wide={isWide || undefined}>
          <div className="fc-sign-in-small-brand">{brand}</div>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p className="fc-soft">{about}</p>
          {children}
        </div>
        <FooterHtml html={whiteLabel.footer} />
      </main>
    </div>
  )
}
