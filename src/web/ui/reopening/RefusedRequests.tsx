import type { AnyReopening } from '#contract/reopenings.ts'
import type { Query } from '#web/api/query.ts'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { Timeline } from '#web/ui/record/Timeline.tsx'

type Props<Request extends AnyReopening> = {
  query: Query<Request[]>
  /** "Request to unlock". */
  title: (request: Request) => string
}

/** Requests to open what two people approved that were declined or withdrawn, newest first. Nothing without any. */
export function RefusedRequests<Request extends AnyReopening>({ query, title }: Props<Request>) {
  return (
    <Timeline
      query={{ ...query, gcTime: 0 }}
      what="the requests"
      title="Declined and withdrawn requests"
      entries={(requests) =>
        requests
          .filter(({ decision }) => decision === 'declined' || decision === 'withdrawn')
          .map((request) => {
            const { decision, decidedBy, decidedAt, requestedAt, requestedBy, reason, decisionReason } =
              request
            return {
              what: <b>{`${title(request)}: ${decision ?? ''}`}</b>,
              by: decidedBy ?? 'System',
              at: decidedAt ?? requestedAt,
              time: formatMoment(decidedAt ?? requestedAt),
              more: (
                <>
                  <bdi className="fc-second">
                    Requested by {requestedBy ?? 'System'}: {reason}
                  </bdi>
                  {decisionReason !== null && <bdi>{decisionReason}</bdi>}
                </>
              ),
            }
          })
      }
      empty={null}
    />
  )
}
