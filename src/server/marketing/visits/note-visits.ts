import { clock } from '#server/clock.ts'
import type { Secrets } from '#server/secrets.ts'
import type { SiteRequest } from '../site/site-app.ts'
import { classifyClick, type ClickKind } from './classify-click.ts'
import { makeSeenOnce, type MarkPurpose, readClickMark, writeClickMark } from './click-mark.ts'
import { makeBurstFinder } from './find-bursts.ts'
import { type Visit, visitOf } from './visit-of.ts'

type Counted = Readonly<{ id: string; kind: ClickKind; visit: Visit; at: number; clicks?: 1 | -1 }>

type Parts = Readonly<{
  secrets: Secrets
  purpose: MarkPurpose
  /** Counts one, or takes one back. */
  count: (customerId: string, counted: Counted) => void
}>

/** Counts what visitors open, by kind: clicks on short URLs, or visits of pages. */
export function makeVisitNotes({ secrets, purpose, count }: Parts) {
  const isBurst = makeBurstFinder()
  // Marks of those that turned out to belong to a burst.
  const voided = makeSeenOnce()
  const seenOnce = makeSeenOnce()
  return {
    /** Whether it is worth a report that nothing is there: scanners that try addresses are not. */
    isUnknown: ({ site, request }: SiteRequest, key: string): boolean =>
      classifyClick(request, { toOwnPage: true }) !== 'bot' &&
      !isBurst({ customerId: site.customerId, ip: request.ip, key }, () => {}),

    /** @returns the mark with which the page says that a person uses it; null if the kind is certain */
    note(
      { site, request }: SiteRequest,
      { id, key, toOwnPage }: { id: string; key: string; toOwnPage: boolean },
    ): string | null {
      const { customerId } = site
      const at = clock.now()
      const visit = visitOf(request, site.host)
      const first = classifyClick(request, { toOwnPage })
      const isMarked = request.method === 'GET' && toOwnPage && first !== 'person'
      const marked = isMarked
        ? writeClickMark(
            secrets,
            { purpose, customerId },
            { id, kind: first === 'bot' ? 'bot' : 'suspect', visit },
          )
        : null
      const makeBot = (): void => {
        if (marked !== null) voided(marked.nonce)
        if (first === 'bot') return
        count(customerId, { id, at, kind: first, visit, clicks: -1 })
        count(customerId, { id, at, kind: 'bot', visit })
      }
      if (isBurst({ customerId, ip: request.ip, key }, makeBot)) {
        count(customerId, { id, at, kind: 'bot', visit })
        return null
      }
      count(customerId, { id, at, kind: first, visit })
      return marked?.mark ?? null
    },

    /** Counts the visit of a mark as one of a person, once. Anything else is ignored. */
    confirm(customerId: string, mark: string): void {
      const read = readClickMark(secrets, { purpose, customerId }, mark)
      if (read === null || voided.has(read.nonce) || !seenOnce(read.nonce)) return
      const { id, at, kind, visit } = read
      count(customerId, { id, at, kind, visit, clicks: -1 })
      count(customerId, { id, at, kind: 'person', visit })
    },
  }
}
export type VisitNotes = ReturnType<typeof makeVisitNotes>
