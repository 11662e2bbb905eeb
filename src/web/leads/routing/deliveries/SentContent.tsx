import type { LeadDeliveryRecord } from '#contract/leads/deliveries/lead-deliveries.ts'

type Sent = NonNullable<LeadDeliveryRecord['sent']>

/** What is sent to the receiver: an email, an ADF document or the JSON of a webhook. */
export function SentContent({ sent: { to, subject, contentType, body } }: { sent: Sent }) {
  return (
    <section className="fc-delivery-part">
      <h3>What is sent</h3>
      <dl className="fc-delivery-facts">
        <div>
          <dt>To</dt>
          <dd>
            <bdi>{to}</bdi>
          </dd>
        </div>
        {subject !== null && (
          <div>
            <dt>Subject</dt>
            <dd>
              <bdi>{subject}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Format</dt>
          <dd>{contentType}</dd>
        </div>
      </dl>
      <pre className="fc-sent" dir="auto" tabIndex={0} aria-label="Content">
        {indented(body, contentType)}
      </pre>
    </section>
  )
}

/** JSON with line breaks; other text, and what is no JSON, stays as it is. */
function indented(body: string, contentType: string): string {
  if (!contentType.includes('json')) return body
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
