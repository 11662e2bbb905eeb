import { IconChevronRight, IconLock, IconPlant2 } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { stepFor } from '#web/ui/wizard/wizard-steps.ts'
import { WizardSteps } from '#web/ui/wizard/WizardSteps.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { ApprovalPanel } from '../../approvals/ApprovalPanel.tsx'
import { InventoryReopening } from '../../approvals/InventoryReopening.tsx'
import { BaseYearNotice } from '../base-year/BaseYearNotice.tsx'
import { InventoryStatus } from '../InventoryStatus.tsx'
import { periodOf } from '../inventory-labels.ts'
import { CARBON_STEPS, type CarbonStep, carbonSteps } from './carbon-steps.ts'
import { InventoryActions } from './InventoryActions.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './carbon.css'

const ForbiddenPage = lazy(async () => ({
  default: (await import('#web/shell/layout/ForbiddenPage.tsx')).ForbiddenPage,
}))

type Props = {
  /** An inventory ID, `new`, or undefined: then the user is asked to choose an inventory. */
  id: string | undefined
  current: CarbonStep
  /** One line about this step. */
  about: string
  /** The content for a new inventory; only the first step has it. */
  fresh?: ReactNode
  /** Why the step is locked. */
  locked?: ReactNode
  children: (inventory: Inventory) => ReactNode
}

/** The layout of the four steps: the inventory, the status of its steps, and the current step if the user may see it. */
export function CarbonWizard({ id, current, about, fresh, locked, children }: Props) {
  const holds = useHolds()
  const isExisting = id !== undefined && id !== 'new'
  const load = useLoad({
    ...query(carbonInventories.get, { id: id ?? '0' }),
    enabled: isExisting,
  })
  const inventory = load.data ?? null
  const steps = carbonSteps(id ?? 'new', inventory?.steps ?? null)
  const { title, needs } = CARBON_STEPS[current]
  const shown = stepFor(steps, title, holds)
  if (shown.show === 'other') {
    // Without an inventory, the URL of the other step has no query either.
    return <Navigate to={id === undefined ? (shown.href.split('?')[0] ?? shown.href) : shown.href} replace />
  }
  if (shown.show === 'none') {
    return (
      <Suspense>
        <ForbiddenPage title={title} needs={needs} />
      </Suspense>
    )
  }
  if (shown.show === 'unknown') return <Spinner label="Loading the step" />
  const isLocked = inventory?.steps[current] === 'locked'
  return (
    <div className="fc-wizard">
      <WizardHead id={id} inventory={inventory} title={title} about={about} />
      {id !== undefined && (
        <WizardSteps label={`Steps of ${nameOf(id, inventory)}`} steps={steps} current={title} />
      )}
      {inventory && <ApprovedGaps gaps={inventory.gaps} />}
      {inventory && <InventoryReopening inventory={inventory} />}
      {inventory && (current === 'start' || current === 'insights') && (
        <ApprovalPanel inventory={inventory} />
      )}
      {inventory?.isBaseYear === true && (current === 'start' || current === 'insights') && (
        <BaseYearNotice inventoryId={inventory.id} />
      )}
      {id === undefined && <NoInventory />}
      {id === 'new' && (fresh ?? <LockedStep>Complete and save the Start step first.</LockedStep>)}
      {isExisting && (
        <Loaded query={load} what="this inventory" shape="spinner">
          {(loaded) => (isLocked ? <LockedStep inventory={loaded}>{locked}</LockedStep> : children(loaded))}
        </Loaded>
      )}
    </div>
  )
}

const nameOf = (id: string | undefined, inventory: Inventory | null): string =>
  id === 'new' ? 'New inventory' : (inventory?.name ?? 'Carbon inventory')

type HeadProps = { id: string | undefined; inventory: Inventory | null; title: string; about: string }

function WizardHead({ id, inventory, title, about }: HeadProps) {
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/carbon">Carbon</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span aria-current="page">{title}</span>
        </nav>
        <div className="fc-carbon-title">
          <RecordHeading name={nameOf(id, inventory)} />
          {inventory && <InventoryStatus status={inventory.status} isPill />}
        </div>
        <p>
          <bdi>
            {inventory ? `${inventory.organizationName}, ${periodOf(inventory)}. ` : ''}
            {about}
          </bdi>
        </p>
      </div>
      {inventory && <InventoryActions inventory={inventory} />}
    </header>
  )
}

/** What was missing when the inventory was approved. */
function ApprovedGaps({ gaps }: Pick<Inventory, 'gaps'>) {
  if (gaps.length === 0) return null
  return (
    <p className="fc-carbon-approved-gaps">
      <Status tone="warn" mark="alert">
        <bdi>Approved although data was missing: {gaps.map(({ sentence }) => sentence).join(' ')}</bdi>
      </Status>
    </p>
  )
}

function NoInventory() {
  return (
    <EmptyState
      icon={<IconPlant2 size={18} />}
      title="No inventory selected"
      text="These steps belong to an inventory. Open one from the list, or add a new one."
    >
      <Link to="/carbon">Go to inventories</Link>
    </EmptyState>
  )
}

function LockedStep({ inventory, children }: { inventory?: Inventory; children: ReactNode }) {
  return (
    <EmptyState icon={<IconLock size={18} />} title="This step is locked" text={children}>
      {inventory ? (
        <LinkToOpenStep inventory={inventory} />
      ) : (
        <Link to="/carbon/start" search={{ inventory: 'new' }}>
          Go to Start
        </Link>
      )}
    </EmptyState>
  )
}

/** A link to the step that comes next. Sources can be assigned only once facilities are included. */
function LinkToOpenStep({ inventory: { id, steps } }: { inventory: Inventory }) {
  if (steps.emission !== 'locked')
    return (
      <Link to="/carbon/emission" search={{ inventory: id }}>
        Go to sources
      </Link>
    )
  return (
    <Link to="/carbon/facility" search={{ inventory: id }}>
      Go to facilities
    </Link>
  )
}
