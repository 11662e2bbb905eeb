import type { OpenCustomer } from '#contract/customers/customers/customers.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { countDone, STEPS } from './customer-labels.ts'

/** The setup steps of a new customer. */
export function Checklist({ steps }: { steps: OpenCustomer['checklist'] }) {
  return (
    <section>
      <header className="fc-row">
        <h2 className="fc-grow">Getting started</h2>
        <span className="fc-small fc-soft fc-number">
          <bdi>{countDone(steps)}</bdi>
        </span>
      </header>
      <ol className="fc-lines fc-checklist">
        {steps.map(({ step, isDone }) => (
          <li key={step}>
            <span className="fc-grow">
              <Status tone={isDone ? 'good' : 'info'} mark={isDone ? 'check' : 'wait'}>
                {STEPS[step].title}
                <span className="fc-hidden">{isDone ? ', done' : ', to do'}</span>
              </Status>
              {!isDone && (
                <span className="fc-second fc-step">
                  <bdi>{STEPS[step].todo}</bdi>
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
