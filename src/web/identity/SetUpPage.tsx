import { useBoot } from '#web/use-boot.ts'
import { FooterHtml } from '#web/ui/FooterHtml.tsx'
import { Mark } from '#web/ui/Mark.tsx'
import { BaysDrawing } from './BaysDrawing.tsx'
import { SetUpForm } from './SetUpForm.tsx'
import './sign-in.css'

/** Specification section 2's bare page, for the first person of an empty installation. */
export function SetUpPage() {
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
        <div className="fc-sign-in-form">
          <div className="fc-sign-in-small-brand">{brand}</div>
          <h1>Set up {whiteLabel.title}</h1>
          <p className="fc-soft">
            Your company and the first person, who may do everything. This works once.
          </p>
          <SetUpForm />
        </div>
        <FooterHtml html={whiteLabel.footer} />
      </main>
    </div>
  )
}
