import fc from 'fast-check'
import { expect } from 'vitest'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import type { TestApp } from '#test/app.ts'
import { postInbound } from '#test/factories/leads/add-inbound.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'
import { anyAdfBody } from './adf.ts'

/** Fewer than an address receives per hour. */
const PER_ADDRESS = 1_500
const AT_ONCE = 4

/**
 * Posts damaged and wrapped ADF documents to inbound addresses, several at the same time. Each one gets a response with a
 * reason, and each text is kept once: as a lead or for review. Returns the longest response time, in milliseconds.
 */
export async function checkInboundDocuments(
  forecourt: TestApp,
  { addInboundAddress, call }: Pick<TestOrganization, 'addInboundAddress' | 'call'>,
  { documents, seed }: { documents: number; seed: number },
): Promise<{ longestMs: number; leads: number }> {
  const bodies = fc.sample(anyAdfBody, { numRuns: documents, seed })
  let longestMs = 0
  for (let from = 0; from < bodies.length; from += PER_ADDRESS) {
    const id = await addInboundAddress()
    const { adfPath } = await call(inboundAddresses.renewUrls, { id })
    const group = bodies.slice(from, from + PER_ADDRESS)
    for (let at = 0; at < group.length; at += AT_ONCE) {
      await Promise.all(
        group.slice(at, at + AT_ONCE).map(async ({ bytes, type }) => {
          const startedAt = performance.now()
          const { status, message } = await postInbound(forecourt, adfPath, Buffer.from(bytes), type)
          longestMs = Math.max(longestMs, performance.now() - startedAt)
          expect([200, 422]).toContain(status)
          expect(message ?? 'Received.').toMatch(/^[A-Z][^]*\.$/)
        }),
      )
    }
    const { rows } = await forecourt.owner.query<{ kept: number; orphans: number }>(
      `select sum(1 + repeats)::int as kept, count(*) filter (where (m.state = 'received') = not exists (select
          from inbound_message_leads l where l.customer_id = m.customer_id and l.message_id = m.id))::int as orphans
        from inbound_messages m where m.address_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ kept: group.length, orphans: 0 }])
  }
  const { rows } = await forecourt.owner.query<{ leads: number }>(
    'select count(*)::int as leads from inbound_message_leads where is_new',
  )
  return { longestMs: Math.round(longestMs), leads: rows[0]?.leads ?? 0 }
}
