import { IconChevronRight } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { stepFor } from '#web/ui/wizard/wizard-steps.ts'
import { WizardSteps } from '#web/ui/wizard/WizardSteps.tsx'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { STEP_GATE, STEP_TITLES, stepsOf } from './organization-steps.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const ForbiddenPage = lazy(async () => ({
  default: (await import('#web/shell/layout/ForbiddenPage.tsx')).ForbiddenPage,
}))

type Props = {
  /** An organization ID, or `new`. */
  id: string
  current: keyof typeof STEP_TITLES
  /** Null for a new organization and while loading. */
  organization: OrganizationProfile | null
  /** One line about this step. */
  about: string
  children: ReactNode
}

/** The layout of both steps: the organization, the status of the steps, and the current step if the user may see it. */
export function OrganizationWizard({ id, current, organization, about, children }: Props) {
  const holds = useHolds()
  const steps = stepsOf(id, organization?.steps ?? null)
  const title = STEP_TITLES[current]
  const shown = stepFor(steps, title, holds)
  if (shown.show === 'other') return <Navigate to={shown.href} replace />
  if (shown.show === 'none') {
    return (
      <Suspense>
        <ForbiddenPage title={title} needs={STEP_GATE} />
      </Suspense>
    )
  }
  if (shown.show === 'unknown') return <Spinner label="Loading the step" />
  const name = id === 'new' ? 'New organization' : (organization?.name ?? 'Organization')
  return (
    <div className="fc-wizard">
      <header className="fc-page-header">
        <div className="fc-grow">
          <nav className="fc-crumbs" aria-label="Breadcrumb">
            <Link to="/organizations">Organizations</Link>
            {organization && (
              <>
                <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
                <Link to="/organizations/$id" params={{ id: organization.id }}>
                  <bdi>{organization.name}</bdi>
                </Link>
              </>
            )}
            <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
            <span aria-current="page">{title}</span>
          </nav>
          <RecordHeading name={name} />
          <p>
            <bdi>{about}</bdi>
          </p>
        </div>
      </header>
      <WizardSteps label={`Steps of ${name}`} steps={steps} current={title} />
      {children}
    </div>
  )
}
