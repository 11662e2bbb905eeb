import { Button } from '@mantine/core'
import { IconCloudOff, IconFileUnknown, IconLock, IconRefresh, IconWifiOff } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { EmptyState } from './EmptyState.tsx'
import { describeRequirement } from '../controls/permission-of.ts'

/** Loaded only after a refusal. */
const KeptHere = lazy(async () => ({ default: (await import('./KeptHere.tsx')).KeptHere }))

type Props = {
  failure: CallFailure
  /** The endpoint that failed. Its permission is shown for a 403. */
  endpoint: Endpoint
  /** "the list of lots", "this lot". */
  what: string
  onRetry: () => void
}

/** Why something can't be shown: offline, no permission, not found or failed. */
export function FailureState({ failure, endpoint, what, onRetry }: Props) {
  const retry = (
    <Button variant="default" onClick={onRetry} leftSection={<IconRefresh size={16} aria-hidden="true" />}>
      Try again
    </Button>
  )
  if (failure.kind === 'offline') {
    return (
      <EmptyState
        isAlert
        icon={<IconWifiOff size={18} />}
        title="No connection"
        text={`Can't load ${what}. Check your connection.`}
      >
        {retry}
      </EmptyState>
    )
  }
  if (failure.status === 403) {
    const wanted = describeRequirement(endpoint.allow)
    return (
      <>
        <EmptyState
          isAlert
          tone="warn"
          icon={<IconLock size={18} />}
          title={`You don't have access to ${what}`}
          text={wanted === '' ? failure.message : `This requires ${wanted}. An administrator can grant it.`}
        />
        <Suspense>
          <KeptHere />
        </Suspense>
      </>
    )
  }
  if (failure.status === 404) {
    return (
      <EmptyState
        isAlert
        icon={<IconFileUnknown size={18} />}
        title="Not found"
        text="It may have been deleted, or it belongs to another organization."
      />
    )
  }
  return (
    <EmptyState
      isAlert
      tone="bad"
      icon={<IconCloudOff size={18} />}
      title={`Couldn't load ${what}`}
      text={failure.message}
    >
      {retry}
      {failure.requestId !== null && (
        <span className="fc-small fc-faint">
          Request <bdi>{failure.requestId}</bdi>
        </span>
      )}
    </EmptyState>
  )
}
