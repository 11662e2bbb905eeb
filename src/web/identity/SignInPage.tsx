import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useBoot } from '#web/use-boot.ts'
import { Mark } from '#web/ui/Mark.tsx'
import { FooterHtml } from '#web/ui/FooterHtml.tsx'
import { BaysDrawing } from './BaysDrawing.tsx'
import { SignInForm } from './SignInForm.tsx'
import './sign-in.css'

/** Only after a set-up is there anything to announce here. */
const Toasts = lazy(async () => ({ default: (await import('#web/ui/Toasts.tsx')).Toasts }))

/** Specification section 2: where everyone starts, and where every ended session leads. */
export function SignInPage() {
  const { whiteLabel } = useBoot()
  const { newUserName = '' } = useLocation().state
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
        <div className="fc-sign-in-form">
          <div className="fc-sign-in-small-brand">{brand}</div>
          <h1>Sign in</h1>
          <p className="fc-soft">Back office of {whiteLabel.title}</p>
          <SignInForm userName={newUserName} />
        </div>
        <FooterHtml html={whiteLabel.footer} />
      </main>
      {newUserName !== '' && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </div>
  )
}
