import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { baseYear, type BaseYearNotice as Notice } from '#contract/carbon/inventories/base-year.ts'
import { live } from '#web/api/live.ts'
import { keyOf, query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'
import { ReasonForm } from '#web/ui/call-form/ReasonForm.tsx'
import './base-year.css'

const dismissNotice = send(baseYear.dismiss)
const MINUS = '\u2212'

/** Whether a base year has to be recalculated, by how much and why. Nothing for other inventories. */
export function BaseYearNotice({ inventoryId }: { inventoryId: string }) {
  const { data } = useQuery(
    live(query(baseYear.get, { inventory: inventoryId }), { while: (state) => state?.isPending === true }),
  )
  if (!data) return null
  if (data.notice === null)
    return data.isPending ? (
      <output className="fc-base-year fc-soft">Checking whether the base year must be recalculated.</output>
    ) : null
  return <NoticeCard notice={data.notice} />
}

function NoticeCard({ notice }: { notice: Notice }) {
  const queries = useQueryClient()
  const { inventoryId: inventory, inventoryName, newLocation, dismissedReason, dismissedBy } = notice
  async function askAndDismiss() {
    const readAgain = () => queries.invalidateQueries({ queryKey: keyOf(baseYear.get) })
    const state = await askFor<Awaited<ReturnType<typeof dismissNotice>>>('Dismiss notice', (answer) => (
      <ReasonForm
        max={500}
        missing="Enter a reason."
        text={`${inventoryName} stays as it was reported. The reason is shown with the notice.`}
        confirm="Dismiss notice"
        endpoint={baseYear.dismiss}
        about={inventory}
        send={(reason) => dismissNotice({ inventory, reason, newLocation })}
        onRefused={() => void readAgain()}
        onAnswer={answer}
      />
    ))
    if (state === null) return
    queries.setQueryData([...keyOf(baseYear.get), { inventory }], state)
    toast('Notice dismissed', inventoryName)
    await readAgain()
  }
  return (
    <section
      className="fc-base-year"
      data-dismissed={dismissedReason !== null}
      aria-label={`Base year recalculation, ${inventoryName}`}
    >
      <IconAlertTriangle size={18} aria-hidden="true" />
      <div className="fc-grow">
        <h2>
          <bdi>{titleOf(notice)}</bdi>
        </h2>
        <p>
          <bdi>{figuresOf(notice)}</bdi>
        </p>
        <ul>
          {notice.explanation.map((sentence) => (
            <li key={sentence}>
              <bdi>{sentence}</bdi>
            </li>
          ))}
          {notice.facilities.slice(0, 5).map(({ facilityId, facilityName, before, after, reason }) => (
            <li key={facilityId}>
              <bdi>
                {facilityName}: {tonnes(before)} to {tonnes(after)} t CO2e. {reason}
              </bdi>
            </li>
          ))}
          {notice.facilities.length > 5 && <li>And {notice.facilities.length - 5} more facilities.</li>}
        </ul>
        <p className="fc-soft">
          <bdi>
            {dismissedReason === null
              ? 'Restate the base year with this boundary, or dismiss the notice with a reason.'
              : `Dismissed by ${dismissedBy ?? 'System'}: ${dismissedReason}`}
          </bdi>
        </p>
      </div>
      {dismissedReason === null && (
        <Action for={baseYear.dismiss} variant="default" onClick={() => void askAndDismiss()}>
          Dismiss
        </Action>
      )}
    </section>
  )
}

function titleOf({ inventoryName, dismissedReason }: Notice): string {
  if (dismissedReason !== null) return `Recalculation of the base year ${inventoryName} was dismissed`
  return `The base year ${inventoryName} must be recalculated`
}

/** The method that changes more is named. */
function figuresOf({
  location,
  newLocation,
  market,
  newMarket,
  percent,
  marketPercent,
  threshold,
}: Notice): string {
  const isMarket = Math.abs(Number(marketPercent ?? 0)) > Math.abs(Number(percent ?? 0))
  const [method, before, after, change] = isMarket
    ? ['market-based', market, newMarket, marketPercent]
    : ['location-based', location, newLocation, percent]
  const share = change === null ? '' : ` (${Number(change) > 0 ? '+' : ''}${change.replace('-', MINUS)}%)`
  return `${tonnes(before)} t CO2e would be ${tonnes(after)} t CO2e${share}, ${method}. The threshold is ${threshold}%.`
}
