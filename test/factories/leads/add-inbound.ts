import { z } from 'zod'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { inboundLeads } from '#contract/leads/inbound/inbound-messages.ts'
import type { InventoryFactories } from '#test/factories/vehicles/add-inventory.ts'
import { fresh } from '#test/factories/fresh.ts'
import type { Place } from '#test/factories/place.ts'
import type { TestApp } from '#test/app.ts'

export type InboundFactories = {
  /** An inbound address of this organization, without URLs. Returns its ID. */
  addInboundAddress: (more?: { sourceName?: string; lotId?: string }) => Promise<string>
  /** A document that can't be read, sent to a new inbound address. Returns the ID of the message. */
  addInboundMessage: () => Promise<string>
  /** A file of an email that is a lead, without its bytes. Returns its ID. */
  addLeadFile: () => Promise<string>
}

export function inboundFactories(
  place: Place,
  { addLot }: Pick<InventoryFactories, 'addLot'>,
): InboundFactories {
  const addInboundAddress: InboundFactories['addInboundAddress'] = async (more = {}) => {
    const { id } = await place.staff.call(inboundAddresses.add, {
      label: fresh('Leads'),
      sourceName: 'AutoTrader',
      ...more,
      lotId: more.lotId ?? (await addLot()),
    })
    return id
  }
  return {
    addInboundAddress,
    async addInboundMessage() {
      const { adfPath } = await place.staff.call(inboundAddresses.renewUrls, {
        id: await addInboundAddress(),
      })
      await postInbound(place.forecourt, adfPath, fresh('<adf>'))
      const { rows } = await place.forecourt.owner.query<{ id: string }>(
        'select max(id)::text as id from inbound_messages where customer_id = $1',
        [place.customerId],
      )
      return rows[0]?.id ?? ''
    },
    async addLeadFile() {
      const { mailPath } = await place.staff.call(inboundAddresses.renewUrls, {
        id: await addInboundAddress(),
      })
      const mail = `From: ${fresh('buyer').replaceAll(' ', '')}@mail.example\r\nMessage-ID: <${fresh('file').replaceAll(' ', '')}@mail.example>\r\n\r\nHello`
      const { received } = await postInbound(place.forecourt, mailPath, mail, 'message/rfc822')
      const { rows } = await place.forecourt.owner.query<{ id: string }>(
        `insert into lead_files (customer_id, organization_id, source_id, name, type, size, sha256, stored_as)
        select customer_id, organization_id, source_id, 'car.jpg', 'image/jpeg', 1, 'x', gen_random_uuid()
        from leads where customer_id = $1 and id = $2 returning id::text`,
        [place.customerId, received?.leads[0]?.id],
      )
      return rows[0]?.id ?? ''
    },
  }
}

const Answer = z.object({ data: z.unknown(), message: z.string().nullable() })

/** Posts a body to a URL of an inbound address, as lead providers do. `received` is null if it was rejected. */
export async function postInbound(
  { app }: Pick<TestApp, 'app'>,
  url: string,
  payload: string | Buffer,
  type = 'text/xml',
) {
  const { statusCode, body } = await app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': type },
  })
  const { data, message } = Answer.parse(JSON.parse(body))
  return {
    status: statusCode,
    message,
    received: statusCode === 200 ? inboundLeads.adf.output.parse(data) : null,
  }
}
