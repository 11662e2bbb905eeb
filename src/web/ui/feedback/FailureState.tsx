import { Button } from '@mantine/core'
import { IconCloudOff, IconFileUnknown, IconLock, IconRefresh, IconWifiOff } from '@tabler/icons-react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { EmptyState } from './EmptyState.tsx'
import { describeQuery } from '../controls/permission-of.ts'

type Props = {
  failure: CallFailure
  /** What was asked, for naming the permission. */
  endpoint: Endpoint
  /** "the list of lots", "this lot". */
  what: string
  onRetry: () => void
}

/** Why something is not there: out of reach, not allowed, gone or failed. */
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
        text={`Forecourt cannot be reached, so ${what} cannot be shown.`}
      >
        {retry}
      </EmptyState>
    )
  }
  if (failure.status === 403) {
    const wanted = describeQuery(endpoint.allow)
    return (
      <EmptyState
        isAlert
        tone="warn"
        icon={<IconLock size={18} />}
        title={`You may not open ${what}`}
        text={wanted === '' ? failure.message : `It needs ${wanted}. An administrator can grant it.`}
      />
    )
  }
  if (failure.status === 404) {
    return (
      <EmptyState
        isAlert
        icon={<IconFileUnknown size={18} />}
        title="Not found"
        text={`It was deleted, or it never belonged to this organization: there is no ${what.replace(/^this /, '')} here.`}
      />
    )
  }
  return (
    <EmptyState
      isAlert
      tone="bad"
      icon={<IconCloudOff size={18} />}
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} did not load`}
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
