import { IconChevronRight, IconLock, IconPlant2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { stepFor } from '#web/ui/wizard/wizard-steps.ts'
import { WizardSteps } from '#web/ui/wizard/WizardSteps.tsx'
import { InventoryStatus } from '../InventoryStatus.tsx'
import { periodOf } from '../inventory-labels.ts'
import { CARBON_STEPS, type CarbonStep, carbonSteps } from './carbon-steps.ts'
import { InventoryActions } from './InventoryActions.tsx'
import './carbon.css'

const ForbiddenPage = lazy(async () => ({
  default: (await import('#web/shell/layout/ForbiddenPage.tsx')).ForbiddenPage,
}))

type Props = {
  /** A number, `new`, or nothing: then one is to be chosen. */
  id: string | undefined
  current: CarbonStep
  /** What this step does, in one line. */
  about: string
  /** What stands there for a new one; only the first step has it. */
  fresh?: ReactNode
  /** Why the step has to wait. */
  locked?: ReactNode
  children: (inventory: Inventory) => ReactNode
}

/** The frame of the four steps: which inventory, how far its steps are, and the step itself where it shows. */
export function CarbonWizard({ id, current, about, fresh, locked, children }: Props) {
  const holds = useHolds()
  const isNumber = id !== undefined && id !== 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(carbonInventories.get, { id: id ?? '0' }),
    enabled: isNumber,
  })
  const inventory = data ?? null
  const steps = carbonSteps(id ?? 'new', inventory?.steps ?? null)
  const { title, needs } = CARBON_STEPS[current]
  const shown = stepFor(steps, title, holds)
  if (shown.show === 'other') {
    // Without an inventory the address of the step says so, too.
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
  const isWaiting = inventory?.steps[current] === 'locked'
  return (
    <div className="fc-wizard">
      <WizardHead id={id} inventory={inventory} title={title} about={about} />
      {id !== undefined && (
        <WizardSteps label={`Steps of ${nameOf(id, inventory)}`} steps={steps} current={title} />
      )}
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={carbonInventories.get}
          what="this inventory"
          onRetry={() => void refetch()}
        />
      )}
      {isNumber && isPending && <Spinner label="Loading the inventory" />}
      {id === undefined && <NoInventory />}
      {id === 'new' && (fresh ?? <LockedStep>Save the start of the new inventory first.</LockedStep>)}
      {inventory && isWaiting && <LockedStep inventory={inventory}>{locked}</LockedStep>}
      {inventory && !isWaiting && children(inventory)}
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
          <h1>
            <bdi>{nameOf(id, inventory)}</bdi>
          </h1>
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

function NoInventory() {
  return (
    <EmptyState
      icon={<IconPlant2 size={18} />}
      title="No inventory is chosen"
      text="Each step belongs to one inventory: a period of one organization. Choose one, or begin a new one."
    >
      <Link to="/carbon">Go to the inventories</Link>
    </EmptyState>
  )
}

function LockedStep({ inventory, children }: { inventory?: Inventory; children: ReactNode }) {
  return (
    <EmptyState icon={<IconLock size={18} />} title="This step is locked" text={children}>
      {inventory ? (
        <WayOn inventory={inventory} />
      ) : (
        <Link to="/carbon/start" search={{ inventory: 'new' }}>
          Go to the start
        </Link>
      )}
    </EmptyState>
  )
}

/** To the first step that is behind: sources are assigned once there are facilities. */
function WayOn({ inventory: { id, steps } }: { inventory: Inventory }) {
  if (steps.emission !== 'locked')
    return (
      <Link to="/carbon/emission" search={{ inventory: id }}>
        Go to the sources
      </Link>
    )
  return (
    <Link to="/carbon/facility" search={{ inventory: id }}>
      Go to the facilities
    </Link>
  )
}
