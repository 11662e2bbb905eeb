import {
  type DeliveryContent,
  type LeadDeliveryRecord,
  leadDeliveries,
} from '#contract/leads/deliveries/lead-deliveries.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { FactList } from '#web/ui/record/Facts.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

const FORMATS: Readonly<Record<DeliveryContent['format'], string>> = {
  'application/x-adf+xml': 'ADF 1.0 in an email',
  'text/plain': 'Plain email',
  'application/json': 'Signed JSON by HTTPS POST',
}

/** What a delivery sends: an email, an ADF document or the JSON of a webhook. Only for users who may read leads. */
export function SentContent({ delivery: { id } }: { delivery: LeadDeliveryRecord }) {
  const holds = useHolds()
  const mayRead = permissionsFor(leadDeliveries.content.allow).some((one) => holds(one) === true)
  if (!mayRead) return null
  return (
    <section className="fc-delivery-part">
      <h3>Content</h3>
      <p className="fc-small fc-soft">
        <bdi>Created from the lead as it is now. An email already in the outbox isn't changed.</bdi>
      </p>
      <Loaded
        query={{ ...query(leadDeliveries.content, { id }), enabled: mayRead }}
        what="the content"
        shape={null}
      >
        {(data) => <Content content={data} />}
      </Loaded>
    </section>
  )
}

function Content({ content: { to, subject, format, body } }: { content: DeliveryContent }) {
  return (
    <>
      <FactList
        facts={[
          ['Format', FORMATS[format]],
          ['To', to ?? 'Its destination was deleted'],
          ['Subject', subject],
        ]}
      />
      <pre
        dir="auto"
        aria-label="Content"
        // It scrolls, so the keyboard has to reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        {indented(body, format)}
      </pre>
    </>
  )
}

/** JSON with line breaks; other text stays as it is. */
function indented(body: string, format: DeliveryContent['format']): string {
  return format === 'application/json' ? JSON.stringify(JSON.parse(body), null, 2) : body
}
