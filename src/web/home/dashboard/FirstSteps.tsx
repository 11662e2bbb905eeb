import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import type { dashboard, FIRST_STEPS } from '#contract/home/dashboard.ts'
import { useSession } from '#web/session/use-session.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Steps = Output<typeof dashboard.get>['firstSteps']
type Step = { title: string; why: string; to: string }

/** Each opens where it is done. */
const STEPS: Record<(typeof FIRST_STEPS)[number], Step> = {
  details: {
    title: 'Company details',
    why: 'Contacts, fees and price limits, which prices and public pages use.',
    to: '/customers/details',
  },
  lots: { title: 'First lot', why: 'Vehicles and leads belong to a lot.', to: '/customers/lots?lot=new' },
  people: { title: 'Colleagues', why: 'No one else can sign in yet.', to: '/administration/users/new' },
  feed: {
    title: 'Vehicles',
    why: 'Add the feed of your dealer management system, or add vehicles by hand.',
    to: '/inventory/feeds/sources?source=new',
  },
  mail: {
    title: 'Your own email server',
    why: 'Until then, emails go out with the sender of the installation, if it has one.',
    to: '/administration/email-handlers?handler=new',
  },
  domain: {
    title: 'Your own domain',
    why: 'The public pages and the back office under your name.',
    to: '/administration/domain-white-label?domain=new',
  },
  inventory: {
    title: 'First carbon inventory',
    why: 'One year of emissions, with what the facilities report.',
    to: '/carbon/start?inventory=new',
  },
  address: {
    title: 'Address of the installation',
    why: 'Without PUBLIC_URL, links in emails lead to the address that the server listens on.',
    to: '/administration/health',
  },
  customer: {
    title: 'First customer',
    why: 'A dealer group with its own users.',
    to: '/customers?customer=new',
  },
}

/** The first steps of a new company or installation, until all are done or this user hides them in this browser. */
export function FirstSteps({ steps }: { steps: Steps }) {
  const { claims } = useSession()
  const key = `first steps hidden ${claims?.impersonateUserId}`
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null)
  if (steps.length === 0 || isHidden) return null
  const hide = () => {
    localStorage.setItem(key, 'yes')
    setHidden(true)
  }
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section className="fc-card" aria-label="Getting started">
      <header>
        <h2 className="fc-grow">Getting started</h2>
        <span className="fc-small fc-soft fc-number">
          <bdi>
            {done} of {steps.length} done
          </bdi>
        </span>
        <Button variant="subtle" size="compact-sm" onClick={hide}>
          Hide
        </Button>
      </header>
      <ol className="fc-due">
        {steps.map(({ step, isDone }) => (
          <li key={step}>
            <span className="fc-grow">
              {isDone ? (
                STEPS[step].title
              ) : (
                <>
                  <Link to={STEPS[step].to} className="fc-name">
                    {STEPS[step].title}
                  </Link>
                  <span className="fc-second">{STEPS[step].why}</span>
                </>
              )}
            </span>
            <Status tone={isDone ? 'good' : 'info'} mark={isDone ? 'check' : 'wait'}>
              {isDone ? 'Done' : 'To do'}
            </Status>
          </li>
        ))}
      </ol>
    </section>
  )
}
